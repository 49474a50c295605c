import { relayerSymbol } from "../../coins/symbol-for.ts";
import type { Call } from "../../command-support/call.ts";
import { canPrompt } from "../../command-support/prompting/prompts.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";

/** @param isSaid whether notes have amounts, too, which users read next to a pipe */
export async function drawnSymbol(
  call: Call,
  relayerId: string,
  relayer?: Relayer,
  isSaid = false,
): Promise<string | undefined> {
  return drawsAmounts(call) || (isSaid && call.output.format === undefined)
    ? await relayerSymbol(await call.session(), relayerId, relayer)
    : undefined;
}

export async function shownSymbol(
  call: Call,
  relayerId: string,
  { relayer, isDiff = false }: { relayer: Relayer | undefined; isDiff?: boolean | undefined },
): Promise<string | undefined> {
  const { app, common } = call;
  if (isDiff || (canPrompt(app, common) && !common.yes))
    return await relayerSymbol(await call.session(), relayerId, relayer);
  return await drawnSymbol(call, relayerId, relayer);
}

export function drawsAmounts({ app: { stdout }, output: { format, fields, query } }: Call): boolean {
  const isDrawn = format === undefined ? stdout.isTerminal : format === "table";
  return isDrawn && fields === undefined && query === undefined;
}
