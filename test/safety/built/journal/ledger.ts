import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WireRequest } from "../../../../src/contract/wire.ts";
import { listenOn } from "../../../../src/embedded-server/serve.ts";
import { createEmbeddedServer } from "../../../../src/embedded-server/server.ts";
import { openJournal } from "../../../../src/journal/open-journal.ts";
import { realSurroundings } from "../../../config/surroundings.ts";
import { newFolder } from "../../../e2e/relayctl.ts";
import { CANARY_TOKEN } from "../../../helpers/scan.ts";
import { demoStore } from "../../../helpers/seed-state.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");

/** A served embedded server that remembers every write that it applied, and a folder with a context for it. */
export async function ledgerServer(rules: object = {}) {
  const applied: WireRequest[] = [];
  const surroundings = realSurroundings();
  const clock = { ...surroundings.clock, now: () => NOW };
  const { random } = surroundings;
  const server = createEmbeddedServer({ token: CANARY_TOKEN, store: demoStore(), clock, random });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const refused = { status: 400, headers: {}, text: "{}" };
  const origin = await new Promise<string>((resolve, reject) => {
    listenOn({
      port: 0,
      admits: () => true,
      refuse: () => refused,
      clock,
      interrupt: end.signal,
      listening: async (port) => resolve(`http://127.0.0.1:${port}`),
      served: async () => {},
      async respond(request) {
        const { status, headers, body } = await server(request);
        if (request.method !== "GET" && status < 300 && !request.target.endsWith("/rpc")) applied.push(request);
        return { status, headers, text: new TextDecoder().decode(body) };
      },
    }).catch(reject);
  });
  const folder = newFolder();
  const config = join(folder, "config");
  mkdirSync(config, { mode: 0o700 });
  const contexts = { prod: { server: origin, token: CANARY_TOKEN, ...rules } };
  writeFileSync(join(config, "config.json"), JSON.stringify({ version: 1, contexts }), { mode: 0o600 });
  return { origin, folder, config, applied, end: () => end.abort() };
}

/** The journal in a folder, as another process sees it. */
export function journalIn(path: string) {
  return openJournal({ path, user: process.getuid?.(), note: async () => {}, surroundings: realSurroundings() });
}
