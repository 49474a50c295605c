import type { ServeOptions } from "../../app.ts";
import { isLoopbackOrigin } from "../../config/connection/origin.ts";
import { parsedSourcedFlag, RuleError } from "../../config/sourced.ts";
import { AmountError, parseAmount } from "../../contract/amount.ts";
import { markMasked } from "../../contract/secret-fields.ts";
import { USUAL_LIMIT } from "../../contract/serving.ts";
import { type Problem, usageError } from "../../errors.ts";
import { hideUrl } from "../../session/hide-secrets.ts";
import { NODE_TIMEOUT } from "../../timing.ts";
import type { Call } from "../command.ts";

interface RealChainFlags {
  node?: string;
  allowRemoteNode?: true;
  keyFile?: string;
  maxValue?: string;
}

type ServedChain = NonNullable<ServeOptions["chain"]>;

const ETHER = { base: "wei", symbol: "ETH" } as const;

/** Flags for simulated chains only. */
const SIMULATED = ["seed", "state", "dialect", "prices", "expireAfter", "nodeLacks"] as const;

export async function openServedChain(call: Call<ServedFlags>): Promise<ServedChain | undefined> {
  const { app, flags } = call;
  const problems = flags.node === undefined ? idleProblems(flags) : simulatedProblems(flags);
  const url = parsedSourcedFlag("--node", flags.node, parseNode, problems);
  const maxValue = parsedSourcedFlag("--max-value", flags.maxValue ?? USUAL_LIMIT, parseLimit, problems);
  if (url !== undefined) problems.push(...remoteProblems(url, flags));
  if (problems.length > 0) throw usageError(problems, "relayctl serve --help");
  if (url === undefined || maxValue === undefined) return undefined;
  hideUrl(app, url);
  const { openOwnNode } = await import("../../session/own-node.ts");
  const { clock, interrupt } = app;
  const node = await openOwnNode(url, app, { caFiles: [] }, { clock, interrupt, timeout: NODE_TIMEOUT });
  return {
    node,
    url,
    maxValue,
    ...(flags.keyFile !== undefined && { keyFile: keyIn(call, flags.keyFile) }),
    opened: async ({ address, chainId }) => {
      await call.say(
        `relayer evm-local is ${address} on chain ${chainId}, through ${node.name}; it needs coins to send`,
      );
    },
  };
}

type ServedFlags = RealChainFlags & Partial<Record<(typeof SIMULATED)[number], unknown>>;

function idleProblems({ keyFile, maxValue, allowRemoteNode }: RealChainFlags): Problem[] {
  const flags = { "--key-file": keyFile, "--max-value": maxValue, "--allow-remote-node": allowRemoteNode };
  const rule = "has an effect only with --node";
  return Object.entries(flags).flatMap(([where, value]) => (value === undefined ? [] : [{ where, rule }]));
}

function simulatedProblems(flags: ServedFlags): Problem[] {
  const rule = "is for simulated chains; it cannot be combined with --node";
  return SIMULATED.flatMap((name) => {
    const where = `--${name === "nodeLacks" ? "node-lacks" : name}`;
    return flags[name] === undefined ? [] : [{ where, rule }];
  });
}

function parseNode(text: string): string {
  const [, url = ""] = /^evm=(https?:\/\/.+)$/.exec(text) ?? [];
  if (URL.canParse(url)) return url;
  throw new RuleError("needs evm= and the http or https URL of a node, e.g. evm=http://127.0.0.1:8545", text);
}

function parseLimit(text: string): bigint {
  try {
    return parseAmount(text, ETHER);
  } catch (error) {
    if (error instanceof AmountError) throw new RuleError(error.message, text);
    throw error;
  }
}

/** A generated key would be lost with its coins, so a remote chain needs a key file. */
function remoteProblems(url: string, { allowRemoteNode, keyFile }: RealChainFlags): Problem[] {
  if (isLoopbackOrigin(new URL(url).origin)) return [];
  if (!allowRemoteNode) {
    return [
      {
        where: "--node",
        rule: "is not on this machine; --allow-remote-node allows it, and moves real coins on a real chain",
      },
    ];
  }
  if (keyFile !== undefined) return [];
  return [
    { where: "--key-file", rule: "is needed with --allow-remote-node, so that the coins of the key are not lost" },
  ];
}

/** The largest file that may hold a key: 66 characters and the end of the line. */
const MAX_KEY_BYTES = 128;
/** Keys of secp256k1 are below its order. */
const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

/** Returns the key file, created with mode 0600 if missing, and never shown. */
function keyIn({ app, say }: Call<unknown>, path: string): NonNullable<ServedChain["keyFile"]> {
  return {
    async load() {
      const text = (await app.files.load(path, MAX_KEY_BYTES))?.trim();
      if (text === undefined) return undefined;
      app.secrets.add(text);
      const others = app.othersMay(path);
      if (others) await say({ warning: `other users can ${others} ${path}: chmod 600 ${path}` });
      const isKey = /^0x[0-9a-f]{64}$/i.test(text) && BigInt(text) > 0n && BigInt(text) < ORDER;
      if (isKey) return text as `0x${string}`;
      throw usageError([
        {
          where: "--key-file",
          given: path,
          rule: "does not contain a private key: 64 hex digits after 0x, not 0 or too large",
        },
      ]);
    },
    async save(key) {
      app.secrets.add(key);
      await app.files.create(path, markMasked(`${key}\n`));
    },
  };
}
