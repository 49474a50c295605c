import { join } from "node:path";
import type { App, ServeOptions } from "./app.ts";
import type { FindAddresses } from "./client/transport/transport.ts";
import type { Environment } from "./config/environment.ts";
import { createTextFile } from "./config/files/text-file.ts";
import { stateFolder } from "./config/location.ts";
import { markMasked } from "./contract/secret-fields.ts";
import type { KeptText } from "./embedded-server/state/state-text.ts";
import { removeDemoJournal } from "./journal/open-once.ts";
import { clock, random } from "./system.ts";

const { platform } = process;
const MAX_STATE_BYTES = 256 * 2 ** 20;
const DEMO_TOKEN = "demo-token-of-the-server-inside-this-process";

export async function openDemo(surroundings: EmbeddedWorld, env: Environment) {
  const { createEmbeddedServer } = await import("./embedded-server/server.ts");
  const store = await keptState(demoStatePath(env), "demo", surroundings, "relayctl demo reset");
  return { transport: createEmbeddedServer({ token: DEMO_TOKEN, store, clock, random }), token: DEMO_TOKEN };
}

export type EmbeddedWorld = Parameters<typeof createTextFile>[1]["surroundings"];

function demoStatePath(env: Environment): string {
  return join(stateFolder(env, platform), "demo.json");
}

async function loadState() {
  return await Promise.all([import("./embedded-server/state/state-text.ts"), import("./embedded-server/seed.ts")]);
}

/** Removes the journal, and writes the seed over the current state, so that unreadable state can be reset too. */
export async function resetDemo(surroundings: EmbeddedWorld, env: Environment): Promise<void> {
  const [{ stateToText }, { seedState }] = await loadState();
  removeDemoJournal(env, platform);
  await ownFile(demoStatePath(env), surroundings).change(() => stateToText(seedState("demo", clock.now())));
}

export function stateFile(path: string, surroundings: EmbeddedWorld) {
  return createTextFile(path, { surroundings, maxBytes: MAX_STATE_BYTES });
}

function ownFile(path: string, surroundings: EmbeddedWorld): KeptText {
  const { load, change } = stateFile(path, surroundings);
  return { load, change: (edit) => change((text) => markMasked(edit(text))) };
}

async function keptState(path: string, seed: string, surroundings: EmbeddedWorld, hint?: string) {
  const [{ stateTextStore }, { seedState }] = await loadState();
  return stateTextStore(ownFile(path, surroundings), () => seedState(seed, clock.now()), path, hint);
}

/** Serves the embedded server on loopback. Sends webhooks here, since it must not import the client. */
async function serveEmbedded(options: ServeOptions, { surroundings, findAddresses }: ServerWorld): Promise<void> {
  const { serveEmbeddedServer } = await import("./embedded-server/serve.ts");
  const store =
    options.stateFile === undefined ? undefined : await keptState(options.stateFile, options.seed, surroundings);
  const deliver: Parameters<typeof serveEmbeddedServer>[1]["deliver"] = async (...post) =>
    (await import("./client/post-webhook.ts")).postWebhook(...post, { clock, findAddresses });
  await serveEmbeddedServer(options, {
    clock,
    random,
    interrupt: surroundings.interrupt,
    deliver,
    ...(store && { store }),
    ...(options.chain && { chain: options.chain }),
  });
}

interface ServerWorld {
  surroundings: EmbeddedWorld;
  findAddresses: FindAddresses;
}

export function createEmbeddedServers(world: ServerWorld): Pick<App, "serve" | "receive"> {
  return {
    receive: async (options) => (await import("./embedded-server/receive.ts")).receiveRequests({ ...options, clock }),
    serve: (options) => serveEmbedded(options, world),
  };
}
