import { isEvmSymbol } from "../../contract/currency.ts";

/** Milliseconds for which a symbol is not asked for again. */
const FRESH = 24 * 3_600_000;
const VERSION = "1";
const MOST = 100;
const NETWORK = /^[\w.:-]{1,100}$/;

/** A network's coin as its service said it. */
export interface KeptSymbol {
  network: string;
  symbol: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The symbols in the text of a file, as far as they are of this service and of the last day. What is none is left out. */
export function symbolsIn(text: string | undefined, origin: string, now: number): KeptSymbol[] {
  const [head, ...lines] = (text ?? "").split("\n");
  if (head !== headOf(origin)) return [];
  return lines.slice(0, MOST).flatMap((line) => {
    const [time = "", network = "", symbol] = line.split("\t");
    const at = Number(time);
    const isFresh = now - at >= 0 && now - at < FRESH;
    return isFresh && NETWORK.test(network) && isEvmSymbol(symbol) ? [{ network, symbol, at }] : [];
  });
}

/** The text with one symbol more; a network whose name is no plain word is not kept. */
export function withSymbol(text: string | undefined, origin: string, found: KeptSymbol): string {
  const others = symbolsIn(text, origin, found.at).filter(({ network }) => network !== found.network);
  const all = NETWORK.test(found.network) ? [found, ...others] : others;
  const lines = all.slice(0, MOST).map(({ at, network, symbol }) => [at, network, symbol].join("\t"));
  return [headOf(origin), ...lines, ""].join("\n");
}

function headOf(origin: string): string {
  return `${VERSION}\t${origin}`;
}
