import { readOnlyPlace } from "../config/environment.ts";
import { readSettings } from "../session/read-settings.ts";
import { createCommand } from "./command.ts";

export const mcp = createCommand({
  summary: "Serve read commands as tools for agents, over stdin and stdout",
  sends: "read",
  refuses: { dryRun: "it serves tools", curl: "it serves tools", deadline: "each call has its own limit" },
  ends: {
    ...{ ok: "the client closed stdin", auth: false, not_found: false, rejected: false },
    ...{ rate_limited: false, server: false, network: false },
  },
  examples: ["relayctl mcp", "relayctl mcp --timeout 10s", "relayctl mcp --retries 0"],
  description:
    "Serve tools of the Model Context Protocol over stdin and stdout: status, doctor, find, get, wait, stuck, plan, and history. Each runs the command of its name, in read-only mode. No tool sends a write. Connection flags apply to all tools.",
  define: (command) =>
    command
      .optionsGroup("Tools")
      .option("--allow-writes", "Add tools that return a proposal, which a user approves with `relayctl approve`"),
  async prepare({ flags, common, app }, problems) {
    if (common.tokenFile === "-")
      problems.add("--token-file", "cannot be -, since stdin has the messages of the client");
    if (!flags.allowWrites) return;
    const settings = await readSettings(app, common);
    const place = readOnlyPlace(app.env, settings.demo ? {} : settings);
    if (place !== undefined) problems.add("--allow-writes", `cannot be combined with read-only mode (${place})`);
  },
  run: async (call) => {
    const { serveTools } = await import("./mcp/serve-tools.ts");
    const { toolsFor } = await import("./mcp/tools.ts");
    if (call.app.stdin.isTerminal) await call.say({ note: "waiting for messages of a client, one JSON object a line" });
    await serveTools(call, toolsFor(call.flags.allowWrites === true));
    return { kind: "nothing" };
  },
});
