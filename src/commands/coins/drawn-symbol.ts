import { relayerCoinSymbol } from "../../coins/coin-symbol.ts";
import type { Call } from "../../command-support/call.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";

/** @param isSaid whether notes have amounts, too, which users read next to a pipe */
export async function drawnSymbol(
  call: Call,
  relayerId: string,
  relayer?: Relayer,
  isSaid = false,
): Promise<string | undefined> {
  return drawsSymbol(call) || (isSaid && call.output.format === undefined)
    ? await relayerCoinSymbol(await call.session(), relayerId, relayer)
    : undefined;
}

export function drawsSymbol({ app: { stdout }, output: { format, fields, query } }: Call): boolean {
  const isDrawn = format === undefined ? stdout.isTerminal : format === "table";
  return isDrawn && fields === undefined && query === undefined;
}
