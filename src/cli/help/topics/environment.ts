import { IDENTITY_VARIABLES } from "../../../config/resolve-settings.ts";
import { VARIABLES } from "../../../config/variables.ts";
import { allCommands } from "../../all-commands.ts";
import { helpSection, helpText, type Row, type TopicPage } from "../block.ts";

const FOLLOWED = {
  "HTTPS_PROXY, HTTP_PROXY": "Proxy, unless --proxy or RELAYCTL_PROXY specifies one (lowercase works too)",
  NO_PROXY: "Hosts to reach without the proxy (lowercase works too)",
  NODE_EXTRA_CA_CERTS: "File with additional certificates to trust",
  CI: "Never prompt",
  GITHUB_ACTIONS: "Print errors and warnings as annotations too, and escape workflow commands, if true",
  GITHUB_STEP_SUMMARY: "File to which the outcome is added in GitHub Actions",
  NO_COLOR: "Turn color off",
  "FORCE_COLOR, CLICOLOR_FORCE": "Turn color on, even in a pipe (0 or false: off)",
  FORCE_HYPERLINK: "Turn links on a terminal on (0: off)",
  "LC_ALL, LC_CTYPE, LANG": "Print icons in ASCII on terminals if the locale is not UTF-8",
  BROWSER: "Program that opens the pages of --web (default: the system's)",
  "SSH_CONNECTION, SSH_CLIENT, SSH_TTY": "Print the URLs of --web without opening them",
  "TMUX, STY": "Ring only the bell at the end of --notify",
  TERM: "Turn color off and use plain lines if set to dumb",
  "TERM_PROGRAM, WT_SESSION, KONSOLE_VERSION, VTE_VERSION, DOMTERM, ConEmuTask":
    "The kind of terminal, for links, icons, and --notify",
  "XDG_CONFIG_HOME, APPDATA": "Folder of relayctl/config.json (default: ~/.config)",
  "XDG_STATE_HOME, LOCALAPPDATA": "Folder of relayctl/ with the journal and all other state (default: ~/.local/state)",
  "TMPDIR, TEMP, TMP": "Folder where compiled code is cached until it is unused for two weeks (default: /tmp)",
  NODE_DISABLE_COMPILE_CACHE: "Turn the cache of compiled code off if set to 1",
  NODE_OPTIONS: "Flags for Node; compiled code is cached for each set of them",
  HOME: "Folder that ~ stands for",
  "PATH, PATHEXT": "Folders and endings of programs, as doctor --local examines them",
  "SHELL, OS":
    "Shell for which printed commands are quoted (default: bash; PowerShell on Windows, where OS is Windows_NT)",
};

export const environmentPage: TopicPage = async () => [
  helpText(
    "A flag overrides its variable, a variable overrides the context, and the context overrides the default. Without " +
      "--context and RELAYCTL_CONTEXT, the project file .relayctl.json selects the context, and without one " +
      "`relayctl context use` did. Run `relayctl context show` to see where each value comes from. A job needs only RELAYCTL_SERVER and RELAYCTL_TOKEN: " +
      "with both set, the config is read only for labels, and never written.",
  ),
  helpSection("Variables of relayctl", variableRows(VARIABLES)),
  helpSection("Variables of other programs", variableRows(FOLLOWED)),
  helpSection("Variables of one command", await ownVariables()),
  helpText(
    `An empty variable counts as not set. An empty ${IDENTITY_VARIABLES.slice(0, -1).join(", ")}, or ` +
      `${IDENTITY_VARIABLES.at(-1)} is an error, so that a job with a missing secret never runs under another identity.`,
  ),
];

function variableRows(variables: Readonly<Record<string, string>>): Row[] {
  return Object.entries(variables).map(([term, text]) => ({ term, text }));
}

async function ownVariables(): Promise<Row[]> {
  const commands = await allCommands();
  return commands.flatMap(([path, { variables = [] }]) =>
    variables.filter((term) => !(term in VARIABLES)).map((term) => ({ term, text: path })),
  );
}
