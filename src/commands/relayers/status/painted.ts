import { createPaintedScreen } from "../../../command-support/painted-screen.ts";
import { printerOf } from "../../../command-support/printing.ts";
import type { Session } from "../../../command-support/session/session.ts";
import type { RelayctlError } from "../../../errors.ts";
import { outputForPeople } from "../../../terminal/ascii.ts";
import { visible } from "../../../terminal/escape.ts";
import type { OutputOptions } from "../../../terminal/output-options.ts";
import { renderView } from "../../../terminal/render.ts";
import type { Output } from "../../../terminal/streams.ts";
import type { Call } from "../../command.ts";
import type { ChangeReporter } from "./changes.ts";
import { type Seen, statusList } from "./read.ts";

/** Creates the screen of `relayers status`, repainted at every read and terminal resize. */
export function paintedStatus(call: Call<{ watch?: string }>, session: Session): ChangeReporter {
  const { clock, env } = call.app;
  const stdout = outputForPeople(call.app.stdout, env);
  const screen = createPaintedScreen(stdout);
  let latest: Seen | undefined;
  const show = (footer: string) =>
    screen.show(async () => (latest ? await screenOf(call, session, latest) : ""), `${footer} · ${more}`);
  const more = `${session.name} · every ${call.flags.watch}, Ctrl-C to stop`;
  const now = () => `${new Date(clock.now()).toISOString().slice(11, 19)}Z`;
  return {
    async seen(seen) {
      latest = seen;
      await show(now());
    },
    failed: ({ message }: RelayctlError) => show(`${now()} · no response: ${message}`),
    async end() {
      await screen.end();
      if (latest) await stdout.write(await screenOf(call, session, latest));
    },
  };
}

/** Returns the output of `relayers status` as a text. */
async function screenOf(call: Call, session: Session, seen: Seen): Promise<string> {
  const pieces: (string | Uint8Array)[] = [];
  const keep = async (piece: string | Uint8Array) => void pieces.push(piece);
  const stdout: Output = Object.create(call.app.stdout, { write: { value: keep } });
  const options: OutputOptions = { ...call.output, format: "table" };
  await renderView(statusList(seen, session), options, {
    ...printerOf(call),
    stdout,
    note: (line) => keep(`${visible(line)}\n`),
  });
  return pieces.join("");
}
