import { readToken } from "../../config/token/credentials.ts";
import type { View } from "../../terminal/view.ts";
import { type Call, type CommandFile, ONE_TEXT } from "../command.ts";
import { readContextSettings } from "../context/settings-rows.ts";

/** `relayctl auth token`: one of the two commands that print a token (promises 6). */
export const authToken: CommandFile = {
  summary: "Print the token that a command would send",
  sends: "nothing",
  refuses: ONE_TEXT,
  takes: ["context", "server", "tokenFile", "allowHttp"],
  ends: { auth: "no token", not_found: "context not found" },
  examples: ["relayctl auth token", "relayctl auth token --context prod", "relayctl auth token | wc -c"],
  description:
    "Print the token that a command would send, and nothing else. This is the only way to see a stored token.",
  run: async (call: Call): Promise<View> => {
    const settings = await readContextSettings(call);
    return { kind: "text", text: await readToken(settings, call.app), secret: true };
  },
};
