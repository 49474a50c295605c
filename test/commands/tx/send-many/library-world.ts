import type { ClientContext } from "../../../../src/client/client-context.ts";
import { createSecrets } from "../../../../src/config/token/secrets.ts";
import type {
  PaymentSource,
  PaymentToSend,
  SendManyOptions,
  SendManyResult,
} from "../../../../src/payments/library/options.ts";
import { sendMany } from "../../../../src/payments/library/send-many.ts";
import { receiver } from "../../../helpers/payouts.ts";
import { SERVER, TOKEN } from "../../../helpers/test-app.ts";
import { testClientContext } from "../../../helpers/test-link.ts";
import type { Fault } from "../once/keyed-world.ts";
import type { PayingWorld } from "./paying-world.ts";

/** The sum of three rows in wei. */
export const SUM = 6n * 10n ** 12n;

export function values(rows = 3): PaymentToSend[] {
  return Array.from({ length: rows }, (_, index) => ({
    to: receiver(index + 1),
    value: BigInt(index + 1) * 10n ** 12n,
    gasLimit: 30_000n,
  }));
}

/** Notes that the client reported in a run. */
export interface Heard {
  result: SendManyResult;
  notes: string[];
}

/** Sends payments as the library does, in a world that commands share. */
export async function sendWith(
  world: PayingWorld,
  options: Partial<SendManyOptions> = {},
  {
    source = { file: "payouts.csv" },
    fault,
    relayer = "base-hot",
    context = {},
  }: { source?: PaymentSource; fault?: Fault; relayer?: string; context?: Partial<ClientContext> } = {},
): Promise<Heard> {
  const { journal, clock, interrupt, apply, files } = world;
  const notes: string[] = [];
  const secrets = createSecrets();
  secrets.add(TOKEN);
  const clientContext = testClientContext(fault ? (request) => fault(request, () => apply(request)) : apply, {
    token: TOKEN,
    secrets,
    clock,
    interrupt,
    report: (event) => void (event.type === "note" && notes.push(event.text)),
    ...context,
  });
  const result = await sendMany(
    {
      clientContext,
      origin: SERVER,
      nodeAt: () => {
        throw new Error("no node has a URL here");
      },
      env: {},
      whoRuns: () => ({ user: "ops", host: "console" }),
      files: { read: async (path) => new TextEncoder().encode(files[path]) },
      openJournal: async () => journal,
    },
    relayer,
    source,
    { state: "/var/lib/payouts", confirm: SUM, speed: "fast", ...options },
  );
  return { result, notes };
}
