import { showIfDryRun } from "../../command-support/shown.ts";
import { operations } from "../../contract/operations.ts";
import { RelayctlError } from "../../errors.ts";
import type { CommandFile } from "../command.ts";

export const serverHealth: CommandFile = {
  summary: "Check whether the service responds",
  sends: "read",
  ends: { ok: "the response is OK", unmet: "any other response" },
  isPublic: true,
  contexts: {},
  examples: [
    "relayctl server health",
    "relayctl server health -o json",
    "relayctl server health --timeout 2s --retries 0 --quiet",
  ],
  description:
    "Check whether the service responds at all. No token is needed, except by services before v1.4. To check whether the service is ready for work, run `relayctl server ready`.",
  async run(call) {
    const shown = await showIfDryRun(call, { operation: operations["server.health"] });
    if (shown) return shown;
    const { client, name } = await call.session();
    const { body } = await client.server.health();
    // Masked before it is cut: a part of a secret would no longer be found.
    const words = call.app.secrets.redact(new TextDecoder().decode(body).trim());
    const isWell = words === "OK";
    const shortened = words.slice(0, LONGEST);
    return {
      kind: "facts",
      lines: [{ label: "health", value: { text: shortened, tone: isWell ? "good" : "bad" } }],
      value: { health: shortened },
      body,
      ...(!isWell && { failure: new RelayctlError("unmet", `${name} responds, but not with OK`) }),
    };
  },
};

/** The longest shown text, since another program may respond. */
const LONGEST = 200;
