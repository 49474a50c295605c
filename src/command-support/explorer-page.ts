import type { App } from "../app.ts";
import { type Explored, type ExplorerPage, explorerUrl } from "../contract/explorer-url.ts";
import type { Problems } from "../contract/problems.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { RelayctlError, rescue } from "../errors.ts";
import type { View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import { isDryRun } from "./shown.ts";

export const WEB_FLAG = "Print the URL of its page in the network's explorer, and open it, unless in CI or over SSH";

type WebCall = Call<{ web?: true }>;

export function showsPage(call: WebCall): boolean {
  return call.flags.web === true && !isDryRun(call);
}

/** Reports options that exclude `--web`, which prints one URL. @param count of typed IDs @param others flags with values */
export function refuseWithWeb({ flags, output }: WebCall, problems: Problems, count: number, others = {}): void {
  if (!flags.web) return;
  if (count > 1) problems.add("--web", "opens one page; specify one ID");
  const { format, fields, query } = output;
  for (const [flag, value] of Object.entries({ "-o": format, "--fields": fields, "--query": query, ...others }))
    if (value !== undefined) problems.add("--web", `prints a URL, and cannot be combined with ${flag}`);
}

export async function showExplorerPage(call: WebCall, relayer: Relayer, page: ExplorerPage): Promise<View> {
  const url = explorerUrl(await readNetwork(call, relayer), page);
  if (url === undefined) {
    const hint = "add an https URL to the network's explorer_urls in the service's configuration";
    throw new RelayctlError("unmet", `no explorer is known for the network "${String(relayer.network)}"`, { hint });
  }
  const problem = opensPages(call.app) ? await call.app.openPage(url) : undefined;
  if (problem !== undefined) await call.say({ warning: `the browser could not be started: ${problem}` });
  return { kind: "text", text: url };
}

async function readNetwork({ app, session }: WebCall, { network, network_type }: Relayer): Promise<Explored> {
  const { client } = await session();
  const id = `${String(network_type)}:${String(network).toLowerCase()}`;
  const reading = client.networks.get(id, { byRoute: true }).then(({ data }) => data);
  return await rescue<Explored, Explored>(reading, (failure) => {
    if (failure.retryable || app.interrupt.aborted) throw failure;
    return { name: network, network_type };
  });
}

const ELSEWHERE = ["CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"];

function opensPages({ env, stdout }: Pick<App, "env" | "stdout">): boolean {
  return stdout.isTerminal && !ELSEWHERE.some((name) => env[name]);
}
