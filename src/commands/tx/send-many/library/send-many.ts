import { readOnlyRefusal } from "../../../../client/read-only.ts";
import { redactingJournal } from "../../../../command-support/journaling/redacting-journal.ts";
import { Problems } from "../../../../command-support/problems.ts";
import { createSecrets } from "../../../../config/token/secrets.ts";
import { knownSymbol } from "../../../../contract/currency.ts";
import type { JsonValue } from "../../../../contract/json.ts";
import type { Relayer } from "../../../../contract/resources/relayer.ts";
import type { Journal, MaskedJournal } from "../../../../journal/journal.ts";
import { sumsOf } from "../../../../payments/report/sums.ts";
import { endedRows } from "../../../../payments/run/outcomes.ts";
import { pay, payingAlone } from "../../../../payments/run/pay.ts";
import type { PaymentWorld } from "../../../../payments/run/payment-world.ts";
import type { Running } from "../../../../payments/run/running.ts";
import { readSymbol } from "../../../coins/symbol-for.ts";
import { failureOfRun } from "../failure.ts";
import { readPayer } from "../read-payer.ts";
import { libraryWorld, type SendManyNeeds } from "./library-world.ts";
import type { PaymentSource, SendManyOptions, SendManyResult } from "./options.ts";
import { readSource } from "./read-source.ts";
import { createRowListener, paidRow } from "./row-listener.ts";
import { paceOf, startOf, validateRequired, waitOf } from "./validate-options.ts";

/** Sends payments as `SendManyClient` describes. */
export async function sendMany(
  needs: SendManyNeeds,
  relayerId: string,
  source: PaymentSource,
  options: SendManyOptions,
): Promise<SendManyResult> {
  const { clientContext, origin, files } = needs;
  const { clock } = clientContext;
  if (clientContext.readOnly) throw readOnlyRefusal("sendMany");
  const problems = new Problems();
  validateRequired(options, problems);
  const typed = {
    relayerId,
    pace: paceOf(options, problems),
    start: startOf(options, problems),
    wait: waitOf(options),
  };
  const read = await problems.gather(() => readSource(source, options, { files, now: clock.now() }));
  problems.throwIfAny();
  const { file, path } = read as NonNullable<typeof read>;
  const listener = createRowListener(file, options);
  const interrupt = anyOf(clientContext.interrupt, options.signal, listener.stopped);
  const journal = withoutToken(await needs.openJournal(options.state), clientContext.token);
  const result = await payingAlone(journal, file, async (lease) => {
    const world = libraryWorld(needs, { relayerId, options, file, path, journal, interrupt, noted: listener.noted });
    const flags = ["--server", origin];
    const symbolOf = ({ network }: Relayer) => symbolFor(world, network);
    const running: Running = {
      ...{ world, lease, payerId: { server: origin, relayerId }, plan: { ...typed, file, path } },
      payer: await readPayer({ client: world.client, flags, symbolOf }, { relayerId, file }),
      resumeLine: "the same call with resume: true",
    };
    const paid = await pay(running);
    const ended = await endedRows(withDeadline(running, options), paid.rows);
    const failure = failureOfRun(running, paid, ended);
    const outcomeOf = (row: number) => ended.outcomes[row - 1] ?? { row, state: "waiting" as const };
    const rows = Array.from(file.payments, (payment) => paidRow(payment, outcomeOf(payment.row)));
    return { run: paid.run, rows, sums: sumsOf(file.payments, outcomeOf), ...(failure && { failure }) };
  });
  listener.rethrow();
  return result;
}

function anyOf(first: AbortSignal, ...others: readonly (AbortSignal | undefined)[]): AbortSignal {
  const given = others.filter((signal) => signal !== undefined);
  return given.length === 0 ? first : AbortSignal.any([first, ...given]);
}

/** Returns a journal in which no entry can contain the token. */
function withoutToken(journal: MaskedJournal, token: string): Journal {
  const secrets = createSecrets();
  secrets.add(token);
  return redactingJournal(journal, (text) => secrets.redact(text));
}

async function symbolFor(
  { briefly, interrupt }: Pick<PaymentWorld, "briefly" | "interrupt">,
  network: JsonValue | undefined,
): Promise<string | undefined> {
  if (typeof network !== "string") return undefined;
  return (await readSymbol({ briefly }, interrupt, network)) ?? knownSymbol(network);
}

/** Lets the time of the wait run from now. The payments themselves have no time limit. */
function withDeadline(running: Running, { wait }: SendManyOptions): Running {
  const { deadline } = typeof wait === "object" ? wait : {};
  if (deadline === undefined) return running;
  const { world } = running;
  const end = world.clock.elapsed() + deadline;
  return { ...running, world: { ...world, remaining: () => end - world.clock.elapsed() } };
}
