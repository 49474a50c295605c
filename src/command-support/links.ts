import { readCoinNetwork } from "../coins/coin-symbol.ts";
import { exploredWords } from "../contract/explored-words.ts";
import { isJsonObject, type JsonValue } from "../contract/json.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { ifReadable } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { hasLinks } from "../terminal/capabilities.ts";
import { addLinks } from "../terminal/links-in.ts";
import { COIN_TIMEOUT } from "../timing.ts";
import type { Call } from "./call.ts";

/** The most relayers that are read only for the explorers of their networks. */
const MOST_READ = 16;

interface Learning {
  /** False after a write, which must not be delayed by a read. */
  mayRead: boolean;
  context?: string | undefined;
}

export async function loadLinks(
  call: Pick<Call, "app" | "session">,
  values: readonly JsonValue[],
  learning: Learning,
): Promise<void> {
  const { links, env, stdout, stderr } = call.app;
  if (![stdout, stderr].some(({ isTerminal }) => hasLinks(env, isTerminal))) return;
  const { context, mayRead } = learning;
  const isTold = mayRead && stdout.isTerminal;
  const places = new Set(values.flatMap((value) => Array.from(exploredWords(value, context), ({ place }) => place)));
  if (places.size === 0) return;
  const session = await call.session();
  for (const value of values)
    if (isJsonObject(value) && typeof value.id === "string" && typeof value.network_type === "string")
      session.placed.set(value.id, value);
  let left = isTold ? MOST_READ : 0;
  const learn = async (place: string) => {
    const network = await findNetwork(session, place, () => left-- > 0);
    const facts = network && (await readCoinNetwork(session, network, isTold));
    if (facts?.explorer) links.places.set(place, { kind: network?.[0] ?? "", explorer: facts.explorer });
  };
  await Promise.all([...places].filter((place) => !links.places.has(place)).map(learn));
  for (const value of values) addLinks(links, value, context);
}

async function findNetwork(
  session: Session,
  place: string,
  mayRead: () => boolean,
): Promise<readonly [kind: string, name: string] | undefined> {
  const [type, id = ""] = place.split("\t");
  if (type === "network") return [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
  if (!session.placed.has(id) && mayRead()) session.placed.set(id, await readRelayer(session, id));
  const { network, network_type } = session.placed.get(id) ?? {};
  return typeof network === "string" && typeof network_type === "string" ? [network_type, network] : undefined;
}

async function readRelayer({ briefly, interrupt }: Session, id: string): Promise<Partial<Relayer>> {
  return (await ifReadable(briefly(COIN_TIMEOUT).relayers.get(id), interrupt))?.data ?? {};
}
