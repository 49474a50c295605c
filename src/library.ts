import { resolve } from "node:path";
import { type BumpClient, bumpClient } from "./chain/bump/bump-client.ts";
import { type ChainClient, chainClient } from "./chain/chain-client.ts";
import { type WaitClient, waitClient } from "./chain/follow/wait-client.ts";
import { urlNode } from "./chain/node/url-node.ts";
import { type PredictClient, predictClient } from "./chain/replacement/predict-client.ts";
import { createThrottle } from "./client/attempt/throttle.ts";
import { type Client, createClient as createLinkedClient } from "./client/client.ts";
import type { ClientContext, ClientEvent } from "./client/client-context.ts";
import { createJsonRpcIds } from "./client/json-rpc.ts";
import { certificateSecrets } from "./client/transport/client-certificate.ts";
import { openTransport } from "./client/transport.ts";
import { validateClientOptions, validClientOption } from "./config/connection/client-options.ts";
import { readOnlyPlace } from "./config/environment.ts";
import { parseNodeUrl } from "./config/nodes.ts";
import { createSecrets } from "./config/token/secrets.ts";
import { secretsOfHeader } from "./contract/header-rules.ts";
import type { Secrets } from "./contract/secret-fields.ts";
import type { ClientCertificate } from "./contract/wire.ts";
import type { DoctorOptions, DoctorReport } from "./doctor/examine.ts";
import { heapLimit } from "./engine.ts";
import { usageError } from "./errors.ts";
import type { Plan } from "./fleet/plan.ts";
import { processes, whoRuns } from "./job-control.ts";
import { guardCalls, MASKED, optionProblems, rethrowCallError } from "./library-calls/guard-calls.ts";
import type { PlanFleetOptions } from "./library-calls/plan-files.ts";
import { copyPaymentSource, type PaidRow, type SendManyClient } from "./payments/library/options.ts";
import type { SendManyNeeds } from "./payments/library/send-many.ts";
import { clock, libraryWorld, random } from "./system.ts";
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT } from "./timing.ts";

/** A relayer service, and the chains of its relayers. */
export interface ClientWithChain extends Client {
  origin: string;
  /**
   * Examines the service and its relayers, and returns each problem with a stable code and the command that ends it. Only
   * reads: at most eight requests about a relayer. What cannot be read is reported as skipped.
   * @throws RelayctlError not_found for an unknown relayer; interrupted
   */
  doctor(options?: DoctorOptions): Promise<DoctorReport>;
  chain: ChainClient;
  tx: Client["tx"] & WaitClient & PredictClient & BumpClient & SendManyClient;
}

/** Options for connecting to a relayer service. */
export interface ClientOptions {
  /** `https://relayer.example.org`, or with the path of a gateway; a trailing `/api/v1` is removed. */
  server: string;
  token: string;
  /** Further headers, sent only to the server, e.g. because a gateway requires them. */
  headers?: Readonly<Record<string, string>>;
  /** Sends the token without encryption to a server on another machine (default: false). */
  allowHttp?: boolean;
  /** Milliseconds for one attempt (default: 30,000). */
  timeout?: number;
  /** Extra attempts after failures that are known to have changed nothing (default: 2). */
  retries?: number;
  /** PEM certificates to trust in addition to the usual ones. */
  caCertificates?: readonly string[];
  /** For a service that demands a certificate, never for nodes and the proxy: PEM texts, or the bytes of PKCS#12. */
  clientCertificate?: ClientCertificate;
  proxy?: string;
  /** Refuses every write and signature before it is sent, as a `declined` error (default: RELAYCTL_READONLY). */
  readOnly?: boolean;
  /** Refuses every write that moves money or loosens a limit, as a context with approvers does: `relayctl approve` sends it. */
  needsSignatures?: boolean;
  /** Ends requests in progress; a write that has left then has an unknown outcome. */
  signal?: AbortSignal;
  /** Called on every event: attempts, responses, retries, notes. Its errors are ignored. */
  onEvent?: (event: ClientEvent) => void;
}

const CLIENT_OPTIONS = [
  ...(["server", "token", "headers", "allowHttp", "timeout", "retries", "caCertificates", "proxy"] as const),
  ...(["clientCertificate", "readOnly", "needsSignatures", "signal", "onEvent"] as const),
];

/**
 * Creates a client for a relayer service with the rules of the command line: integers stay exact (a `bigint` above
 * 2^53), no write is sent again once its response could have been lost, and a RelayctlError says whether a write was
 * applied.
 * @throws RelayctlError usage for an invalid option, and for plain HTTP to another machine without `allowHttp`
 */
export function createClient(options: ClientOptions): ClientWithChain {
  const problems = optionProblems(options ?? null, CLIENT_OPTIONS);
  if (problems.length > 0) throw usageError(problems);
  const {
    caCertificates = [],
    clientCertificate,
    timeout = DEFAULT_TIMEOUT,
    retries = DEFAULT_RETRIES,
    signal = new AbortController().signal,
  } = options;
  const { origin, proxy, headers } = validateClientOptions(options);
  const reach = (target: string) => ({ origin: target, caCertificates, ...(proxy !== undefined && { proxy }) });
  const transportTo = (target: string) => openTransport(reach(target));
  const secrets = createSecrets();
  secrets.add(options.token);
  for (const secret of certificateSecrets(clientCertificate)) secrets.add(secret);
  for (const value of Object.values(headers).flatMap(secretsOfHeader)) secrets.add(value);
  const tell = async (event: ClientEvent) => await options.onEvent?.(secrets.masked(event));
  const clientContext: ClientContext = {
    transport: openTransport({ ...reach(origin), ...(clientCertificate && { clientCertificate }) }),
    token: options.token,
    headers,
    secrets,
    clock,
    random,
    throttle: createThrottle(clock),
    knownKeys: new Map(),
    latest: { date: 0 },
    nextRpcId: createJsonRpcIds(clock),
    timeout,
    retries,
    heapLimit,
    interrupt: signal,
    abandon: signal,
    readOnly: options.readOnly ? "the option readOnly" : readOnlyPlace(libraryWorld().env),
    ...(options.needsSignatures && { approvers: { place: "the option needsSignatures" } }),
    report: (event) => void tell(event).catch(() => {}),
  };
  const client = createLinkedClient(clientContext);
  const nodeAt = (typed: string) => {
    const url = validClientOption("nodeUrl", typed, parseNodeUrl);
    return urlNode({ url, transport: transportTo(new URL(url).origin), clock, timeout, interrupt: signal });
  };
  const clientFor = (remaining: () => number) =>
    createLinkedClient({ ...clientContext, retries: 0, isPatient: true, remaining });
  const waiting = waitClient({ clientFor, nodeAt, clock, interrupt: signal });
  const bumping = bumpClient({ client, clock, interrupt: signal, nodeAt });
  const sending = paymentsClient({ clientContext, origin, nodeAt }, secrets);
  const tx = { ...client.tx, ...waiting, ...predictClient(client, nodeAt), ...bumping, ...sending };
  const doctor = async (wanted?: DoctorOptions) => {
    const { examineService } = await import("./doctor/examine.ts");
    return await examineService({ clientFor, origin, clock, interrupt: signal }, wanted);
  };
  const guarded = guardCalls(
    { ...client, origin, chain: chainClient(client, clock, nodeAt), doctor, tx },
    secrets.masked,
  );
  return Object.assign(guarded, { [MASKED]: secrets.masked });
}

function paymentsClient(
  needs: Pick<SendManyNeeds, "clientContext" | "origin" | "nodeAt">,
  secrets: Secrets,
): SendManyClient {
  return {
    async sendMany(relayerId, given, { onRow, ...others }) {
      const source = copyPaymentSource(given);
      const options = { ...others, ...(onRow && { onRow: (row: PaidRow) => onRow(secrets.masked(row)) }) };
      const { sendMany } = await import("./payments/library/send-many.ts");
      return await sendMany({ ...needs, ...machineFor(needs.clientContext) }, relayerId, source, options);
    },
  };
}

/**
 * Compares the files of a fleet with a service, as `plan` does. Only reads, and the plan contains no secret.
 * @param files paths of `config.json` of the service, or of YAML of the same shape
 * @throws RelayctlError usage, with every problem of every file
 */
export async function planFleet(
  files: string | readonly string[],
  client: ClientWithChain,
  options?: PlanFleetOptions,
): Promise<Plan> {
  const { planFiles } = await import("./library-calls/plan-files.ts");
  return await planFiles(files, client, options, libraryWorld()).catch((error) => rethrowCallError(error));
}

function machineFor({
  abandon,
  report,
}: ClientContext): Pick<SendManyNeeds, "env" | "whoRuns" | "files" | "openJournal"> {
  const { user, started, ...world } = libraryWorld();
  return {
    env: world.env,
    whoRuns,
    files: {
      async read(path, maxBytes) {
        const { createFiles } = await import("./config/files/files.ts");
        return await createFiles({ ...world, interrupt: abandon }).read(path, maxBytes);
      },
    },
    async openJournal(folder) {
      const { openJournal } = await import("./journal/open-journal.ts");
      const note = async (text: string) => report({ type: "note", text });
      const surroundings = { clock, random, interrupt: abandon };
      return openJournal({ path: resolve(folder), surroundings, note, processes: { ...processes, started }, user });
    },
  };
}
