import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder, relayctl } from "../../e2e/relayctl.ts";
import { reply } from "../../e2e/services/raw.ts";
import { chosen } from "../../helpers/deep.ts";
import { CANARY_TOKEN } from "../../helpers/scan.ts";
import { tlsService } from "./tls-authority.ts";

const LIST = ["relayers", "list", "-o", "name", "--retries", "0"];
const ANSWER = reply(
  200,
  '{"success":true,"data":[{"id":"r1"}],"pagination":{"current_page":1,"per_page":1000,"total_items":1}}',
);
const NO_OPENSSL = "this machine has no openssl";

function environmentOf(origin: string, more: Record<string, string> = {}) {
  return { RELAYCTL_SERVER: origin, RELAYCTL_TOKEN: CANARY_TOKEN, ...more };
}

test("an untrusted certificate is rejected before the token is sent", async ({ skip }) => {
  const service = await tlsService(ANSWER);
  if (!service) return skip(NO_OPENSSL);
  const { exitCode, stdout, stderr } = await relayctl(LIST, { env: environmentOf(service.origin) });
  expect([exitCode, stdout]).toEqual([10, ""]);
  expect(stderr).toContain("its certificate is not trusted (trust more certificates with --ca-file)");
  expect(service.received()).toBe("");
});

test("NODE_TLS_REJECT_UNAUTHORIZED=0 does not disable the check, and prints one line", async ({ skip }) => {
  const service = await tlsService(ANSWER);
  if (!service) return skip(NO_OPENSSL);
  const env = environmentOf(service.origin, { NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  const { exitCode, stderr } = await relayctl(LIST, { env });
  expect([exitCode, service.received()]).toEqual([10, ""]);
  expect(stderr.match(/NODE_TLS_REJECT_UNAUTHORIZED/g)).toHaveLength(1);
});

test("a certificate of the system that is its own root is rejected before the token is sent", async ({ skip }) => {
  const service = await tlsService(ANSWER);
  if (!service) return skip(NO_OPENSSL);
  const { exitCode } = await relayctl(LIST, { env: environmentOf(service.origin, { SSL_CERT_FILE: service.caFile }) });
  expect([exitCode, service.received()]).toEqual([10, ""]);
});

type Way = (caFile: string) => { args: readonly string[]; env: Record<string, string> };

const WAYS: readonly (readonly [string, Way])[] = [
  ["--ca-file", (caFile: string) => ({ args: ["--ca-file", caFile], env: {} })],
  ["RELAYCTL_CA_FILE", (caFile: string) => ({ args: [], env: { RELAYCTL_CA_FILE: caFile } })],
  ["NODE_EXTRA_CA_CERTS", (caFile: string) => ({ args: [], env: { NODE_EXTRA_CA_CERTS: caFile } })],
];

test.each(chosen(WAYS, 0, 2))("%s makes the certificate trusted", async (_, way) => {
  const service = await tlsService(ANSWER);
  if (!service) return;
  const { args, env } = way(service.caFile);
  const ended = await relayctl([...LIST, ...args], { env: environmentOf(service.origin, env) });
  expect(ended).toEqual({ exitCode: 0, stdout: "r1\n", stderr: "" });
  expect(service.received()).toContain(`Bearer ${CANARY_TOKEN}`);
});

test.each([
  ["does not exist", undefined],
  ["contains no certificate", "no certificate"],
])("a NODE_EXTRA_CA_CERTS file that %s exits with 2, and the error contains its path", async (_, content) => {
  const folder = newFolder();
  const file = join(folder, "extra.pem");
  if (content !== undefined) writeFileSync(file, content);
  const env = environmentOf("https://127.0.0.1:9", { NODE_EXTRA_CA_CERTS: file });
  const { exitCode, stdout, stderr } = await relayctl(LIST, { folder, env });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(file);
  expect(stderr).toMatch(/^error: /m);
});
