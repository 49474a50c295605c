import { VARIABLES } from "../../../config/variables.ts";
import { allCommands } from "../../all-commands.ts";
import { type Row, sectionOf, textOf } from "../block.ts";
import type { TopicPage } from "../topic.ts";

/** Variables of other programs that are followed. */
export const FOLLOWED = {
  "HTTPS_PROXY, HTTP_PROXY": "a proxy, where neither --proxy nor RELAYCTL_PROXY names one; in lower case too",
  NO_PROXY: "hosts that are reached without it; in lower case too",
  NODE_EXTRA_CA_CERTS: "a file with more certificates to trust",
  CI: "never ask",
  NO_COLOR: "no colour",
  "FORCE_COLOR, CLICOLOR_FORCE": "colour, even in a pipe; 0 or false: none",
  TERM: "dumb: no colour, and plain lines",
  "XDG_CONFIG_HOME, APPDATA": "where relayctl/config.json is; ~/.config unless set",
  "XDG_STATE_HOME, LOCALAPPDATA": "where the state of --demo is; ~/.local/state unless set",
  "TMPDIR, TEMP": "where compiled code is kept for the next run; /tmp unless set",
  NODE_DISABLE_COMPILE_CACHE: "1: keep none",
  NODE_OPTIONS: "flags for Node; while there are some, Node 20 keeps none",
  HOME: "where ~ is",
  "SHELL, OS":
    "the shell that printed commands are written for; bash unless set, PowerShell on Windows (OS=Windows_NT)",
};

/** `relayctl help environment` */
export const environmentPage: TopicPage = async () => [
  textOf(
    "A flag goes before its variable, a variable before the context, and the context before the default; relayctl " +
      "context show tells where each value came from. RELAYCTL_SERVER and RELAYCTL_TOKEN are all that a job needs: " +
      "then no config is read or written.",
  ),
  sectionOf("Of relayctl", rowsOf(VARIABLES)),
  sectionOf("Of other programs", rowsOf(FOLLOWED)),
  sectionOf("Of one command", await ownVariables()),
  textOf(
    "An empty variable counts as unset. An empty RELAYCTL_SERVER, RELAYCTL_TOKEN or RELAYCTL_TOKEN_FILE is an error: a " +
      "secret that is missing in a job must not become another identity.",
  ),
];

function rowsOf(variables: Readonly<Record<string, string>>): Row[] {
  return Object.entries(variables).map(([term, text]) => ({ term, text }));
}

/** Those that are told above already mean something to more than one. */
async function ownVariables(): Promise<Row[]> {
  const commands = await allCommands();
  return commands.flatMap(([path, { variables = [] }]) =>
    variables.filter((term) => !(term in VARIABLES)).map((term) => ({ term, text: path })),
  );
}
