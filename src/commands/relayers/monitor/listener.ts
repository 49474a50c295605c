import { isLoopbackOrigin } from "../../../config/connection/origin.ts";
import { MAX_PORT } from "../../../config/port.ts";
import { tokenProblem } from "../../../config/token/token-text.ts";
import type { Problems } from "../../../contract/problems.ts";
import { usageError } from "../../../errors.ts";
import { readInputText, readSecretInput } from "../../../session/input-file.ts";
import type { Call } from "../../command.ts";
import type { StatusFlags } from "../status/status-reads.ts";

export type Listener = Awaited<ReturnType<typeof readListener>>;

const ADDRESS = /^(?:([0-9.]+|localhost|\[[0-9a-f:.]+\]):)?([0-9]{1,5})$/i;

/** Reads where to serve metrics: another machine needs a token, and HTTPS to keep it. */
export async function readListener(call: Call<StatusFlags>, problems: Problems) {
  const { app, flags, output, common } = call;
  const { listen = "", check, brief, watch, listenTokenFile, listenCert, listenKey } = flags;
  const { format, fields, query, sort } = output;
  const other = format === "prom" ? undefined : format;
  const typed = { check, brief, watch, fields, query, sort, output: other, deadline: common.deadline };
  for (const [name, value] of Object.entries(typed))
    if (value !== undefined) problems.add(`--${name}`, "cannot be combined with --listen");
  const [, host = "127.0.0.1", digits] = ADDRESS.exec(listen) ?? [];
  const port = Number(digits ?? Number.NaN);
  const isAddress = port <= MAX_PORT && URL.canParse(`http://${host}`);
  if (!isAddress) problems.add("--listen", "needs an address of this machine with a port, e.g. 127.0.0.1:9464", listen);
  validateFiles(call, problems, isAddress && !isLoopbackOrigin(`http://${host}`));
  const read = async (flag: string, file: string | undefined, of: (file: string) => Promise<string>) =>
    file === undefined ? undefined : await problems.gather(() => of(file), flag);
  const token = await read("--listen-token-file", listenTokenFile, async (file) => {
    const text = await readSecretInput(app, file, "--listen-token-file");
    const rule = tokenProblem(text);
    if (rule) throw usageError([{ where: "--listen-token-file", given: file, rule }]);
    return text;
  });
  const cert = await read("--listen-cert", listenCert, (file) => readInputText(app, file));
  const key = await read("--listen-key", listenKey, (file) => readSecretInput(app, file, "--listen-key"));
  return { host, port, token, tls: cert !== undefined && key !== undefined ? { cert, key } : undefined };
}

function validateFiles({ flags }: Call<StatusFlags>, problems: Problems, isPublic: boolean): void {
  const { listen, listenTokenFile, listenCert, listenKey } = flags;
  const files = { "--listen-token-file": listenTokenFile, "--listen-cert": listenCert, "--listen-key": listenKey };
  const missing = Object.entries(files).flatMap(([flag, file]) => (file === undefined ? [flag] : []));
  if (isPublic && missing.length > 0)
    problems.add("--listen", `other machines can reach this address; also specify ${missing.join(", ")}`, listen);
  else if ((listenCert === undefined) !== (listenKey === undefined))
    problems.add("--listen-cert", "needs --listen-key, and the other way around");
}
