import type { App } from "../../app.ts";
import { commandWords, OPEN_QUOTE } from "../../config/command-words.ts";
import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn, objectsIn, parseJson } from "../../contract/json.ts";
import { policyCap } from "../../contract/policy.ts";
import { isPending } from "../../contract/transaction/transaction.ts";
import { interruptedError } from "../../errors.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";

interface Demo {
  /** Requests of commands, without queries. */
  seen: ReadonlySet<string>;
  read(path: string): Promise<JsonValue>;
}

const FLEET_FILE = "fleet.json";
const PLANNED_URL = "https://audit.example.org/tour";
const FLEET_TEXT = `{"notifications":[{"id":"audit-log","type":"webhook","url":"${PLANNED_URL}"}]}\n`;

const HEAD = "/relayers/eth-main-1/transactions/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const RECEIVER = "0x52908400098527886E0F7030069857D2E4169EE7";
const PAID = 10n ** 16n;
const RAISED = 120n * 10n ** 9n;

const LAST_STEP = 5;

const STEPS: readonly { number: number; task: string; hint: string; isDone(demo: Demo): Promise<boolean> }[] = [
  {
    number: 1,
    task: "See which relayers of the demo need attention.",
    hint: "relayctl status",
    isDone: async ({ seen }) => seen.has("GET /api/v1/relayers"),
  },
  {
    number: 2,
    task: "A transaction of eth-main-1 pays too little, and three others wait for it. Free the queue.",
    hint: "relayctl relayers unstick eth-main-1",
    isDone: async (demo) => !isPending(await readObject(demo, HEAD)),
  },
  {
    number: 3,
    task: "Raise the gas price cap of eth-main-1 to 120 gwei.",
    hint: "relayctl relayers update eth-main-1 --policy gas_price_cap=120gwei",
    isDone: async (demo) => (await readCap(demo)) === RAISED,
  },
  {
    number: 3,
    task: "Undo that change.",
    hint: "relayctl undo",
    isDone: async (demo) => (await readCap(demo)) !== RAISED,
  },
  {
    number: 4,
    task: `Pay 0.01 ETH from base-hot to ${RECEIVER}.`,
    hint: `relayctl tx send base-hot --to ${RECEIVER} --value 0.01eth --speed fast`,
    isDone: async ({ read }) => objectsIn(await read("/relayers/base-hot/transactions?per_page=100")).some(isPayment),
  },
  {
    number: 5,
    task: `${FLEET_FILE} has a new URL for the notification audit-log. Compare it with the service, and apply it.`,
    hint: `relayctl plan -f ${FLEET_FILE}, then relayctl apply -f ${FLEET_FILE}`,
    isDone: async (demo) => (await readObject(demo, "/notifications/audit-log")).url === PLANNED_URL,
  },
];

async function readCap(demo: Demo): Promise<bigint | undefined> {
  return policyCap(await readObject(demo, "/relayers/eth-main-1"));
}

async function readObject({ read }: Demo, path: string): Promise<JsonObject> {
  return objectIn(await read(path));
}

function isPayment({ to, value }: JsonObject): boolean {
  return typeof to === "string" && to.toLowerCase() === RECEIVER.toLowerCase() && wireAmount(value) === PAID;
}

export async function runTour(call: Call): Promise<View> {
  return await call.app.inTemporaryFolder(async (app, folder) => {
    const { world, demo } = await observeDemo(app);
    const file = `${folder}/${FLEET_FILE}`;
    await app.files.create(file, app.secrets.masked(FLEET_TEXT));
    await call.say(
      "Type commands as you would in a shell; they all run with --demo. `hint`, `skip`, and `quit` work too.",
    );
    for (const { number, task, hint, isDone } of STEPS) {
      await call.say(`${number} of ${LAST_STEP}: ${task}`);
      const done = async () => await isDone(demo);
      if (!(await takeStep(call, { world, hint, done, file }))) return { kind: "nothing" };
    }
    await call.say("That was the tour; nothing of it is kept. Connect to your service: relayctl auth login");
    return { kind: "nothing" };
  });
}

interface Taken {
  world: App;
  hint: string;
  done(): Promise<boolean>;
  file: string;
}

async function takeStep(call: Call, step: Taken): Promise<boolean> {
  const prompts = await call.app.prompts();
  for (;;) {
    const words = commandWords(await prompts.text("relayctl", { validate: validateStep }))?.filter(isTyped) ?? [];
    const [first] = words;
    if (first === "quit" || first === "skip") return first === "skip";
    if (first === "hint") await call.say(`  ${step.hint}`);
    else if (first !== undefined && (await tryCommand(call, words, step))) return true;
  }
}

const LOCAL = /^(?:help|version|completion|context|label|auth|serve|drill|tour|demo|-.*)$/;

async function tryCommand(call: Call, words: readonly string[], { world, file, done }: Taken): Promise<boolean> {
  const argv = words.map((word) => (word === FLEET_FILE ? file : word));
  const isComplete = argv.includes("--demo") || LOCAL.test(argv[0] ?? "");
  await call.perform(isComplete ? argv : [...argv, "--demo"], world);
  if (call.app.interrupt.aborted) throw interruptedError(" during the tour");
  const isDone = await done();
  if (isDone) await call.say("✓ done");
  return isDone;
}

const isTyped = (word: string, index: number): boolean => index > 0 || word !== "relayctl";

function validateStep(typed: string): true | string {
  return commandWords(typed) === undefined ? OPEN_QUOTE : true;
}

async function observeDemo(app: App): Promise<{ world: App; demo: Demo }> {
  const { transport, token } = await app.demo();
  const seen = new Set<string>();
  const observed: typeof transport = async (request, limits) => {
    seen.add(`${request.method} ${request.target.replace(/\?.*/, "")}`);
    return await transport(request, limits);
  };
  const read: Demo["read"] = async (path) => {
    const request = { method: "GET", target: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } } as const;
    const signal = app.interrupt;
    const { body } = await transport(request, { maxBytes: Number.POSITIVE_INFINITY, connection: "kept", signal });
    const reply = parseJson(new TextDecoder().decode(body));
    return (isJsonObject(reply) && reply.data) || null;
  };
  const world: App = Object.create(app, { demo: { value: async () => ({ transport: observed, token }) } });
  return { world, demo: { seen, read } };
}
