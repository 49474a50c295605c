import type { Config } from "../../../src/config/config.ts";
import { runHere, TOKEN, testApp, type World } from "../../helpers/cli.ts";

export const LOCAL = "http://127.0.0.1:8080";

/** Two contexts on the embedded server; `prod` is current. */
export const CONFIG: Config = {
  version: 1,
  current: "prod",
  contexts: {
    prod: { server: "https://prod.example", token: TOKEN, protected: true },
    dev: { server: LOCAL, token_command: ["pass", "dev"], ca_file: "/ca.pem" },
  },
};

export const EMPTY: Config = { version: 1, contexts: {} };

/** Runs a command line in a world with stored contexts and without variables. */
export async function runWith(argv: readonly string[], world: World = {}) {
  const made = testApp({ env: {}, config: CONFIG, ...world });
  const ended = await runHere(made, argv);
  return {
    ...ended,
    config: made.config(),
    requests: made.requests,
    questions: made.questions,
  };
}
