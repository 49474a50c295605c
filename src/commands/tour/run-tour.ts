import type { App } from "../../app.ts";
import { commandWords, OPEN_QUOTE } from "../../config/command-words.ts";
import { isJsonObject, parseJson } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { type Demo, FLEET_FILE, FLEET_TEXT, LAST_STEP, STEPS } from "./steps.ts";

/** Runs the tour in a temporary folder until its last step, or until `quit`. */
export async function runTour(call: Call): Promise<View> {
  return await call.app.inTemporaryFolder(async (app, folder) => {
    const { world, demo } = await observe(app);
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
  /** The file of the last step. */
  file: string;
}

/** Runs what is typed until the demo shows that the step is done. @returns whether the tour continues */
async function takeStep(call: Call, step: Taken): Promise<boolean> {
  const prompts = await call.app.prompts();
  for (;;) {
    const words = commandWords(await prompts.text("relayctl", { validate }))?.filter(isTyped) ?? [];
    const [first] = words;
    if (first === "quit" || first === "skip") return first === "skip";
    if (first === "hint") await call.say(`  ${step.hint}`);
    else if (first !== undefined && (await tryCommand(call, words, step))) return true;
  }
}

/** What takes no --demo. */
const LOCAL = /^(?:help|version|completion|context|label|auth|serve|drill|tour|demo|-.*)$/;

async function tryCommand(call: Call, words: readonly string[], { world, file, done }: Taken): Promise<boolean> {
  const argv = words.map((word) => (word === FLEET_FILE ? file : word));
  const isComplete = argv.includes("--demo") || LOCAL.test(argv[0] ?? "");
  await call.perform(isComplete ? argv : [...argv, "--demo"], world);
  if (call.app.interrupt.aborted) throw new RelayctlError("interrupted", "the tour was interrupted");
  const isDone = await done();
  if (isDone) await call.say("✓ done");
  return isDone;
}

const isTyped = (word: string, index: number): boolean => index > 0 || word !== "relayctl";

function validate(typed: string): true | string {
  return commandWords(typed) === undefined ? OPEN_QUOTE : true;
}

/** Opens a demo that notes what is read, and returns it with the world whose commands use it. */
async function observe(app: App): Promise<{ world: App; demo: Demo }> {
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
