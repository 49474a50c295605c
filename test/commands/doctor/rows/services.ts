import { TransportFailure } from "../../../../src/client/transport/transport.ts";
import type { CertificateChain } from "../../../../src/config/machine/machine.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import { createAuthority } from "../../../faults/server/certificates.ts";
import { refusal, reply } from "../../../helpers/service/reply.ts";
import { SERVER, TOKEN, type World } from "../../../helpers/test-app.ts";
import { altered, NOW, type Row, type Sick, well } from "../sick.ts";

const DAY = 86_400_000;

const withHead =
  (change: Partial<WireReply>): NonNullable<Sick["alter"]> =>
  (_, found) => ({ ...found, ...change });
const dated = (skew: number) => withHead({ headers: { date: new Date(NOW + skew).toUTCString() } });
const certified = (left: number) => withHead({ certificateEnds: () => NOW + left });
const showing = (chain: CertificateChain): World => ({
  env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_CERT: "client.pem" },
  files: { "client.pem": `${issued.cert}${issued.key}` },
  machine: { chain: () => chain },
});
const issued = createAuthority().issue();
const instead =
  (path: RegExp, other: WireReply): Sick["alter"] =>
  ({ target }, found) =>
    path.test(target) ? other : found;

const unreachable: World["service"] = async () => {
  throw new TransportFailure("connect", "the connection was refused", { sent: false });
};
const notReady = {
  ready: false,
  status: "unhealthy",
  components: { redis: { status: "unhealthy", error: "PING timed out" } },
};
const degraded = { ready: true, status: "degraded", components: { queue: { status: "degraded" } } };

const both =
  (...[first, second]: NonNullable<Sick["alter"]>[]): Sick["alter"] =>
  (request, found) => {
    const once = first?.(request, found) ?? found;
    return second?.(request, once) ?? once;
  };
const hexSeconds = (time: number) => `0x${Math.floor(time / 1000).toString(16)}`;

function limitedAtFirst(count: number): Sick["alter"] {
  let left = count;
  return (_, found) => (left-- > 0 ? refusal(429, "Too Many Requests") : found);
}

export const SERVICES: readonly Row[] = [
  ["that cannot be reached", { world: { service: unreachable } }, ["fail SVC-REACH"]],
  ["that cannot list its relayers", { alter: instead(/relayers\?/, refusal(500, "boom")) }, ["fail SVC-REACH"]],
  ["that is another program", { alter: instead(/health/, reply(200, "hello")) }, ["fail SVC-REACH"]],
  ["that rejects the token", { alter: instead(/relayers\?/, refusal(401, "Unauthorized")) }, ["fail SVC-AUTH"]],
  [
    "behind a gateway that refuses the request",
    { alter: instead(/relayers\?/, reply(403, "<html><title>Access denied</title></html>")) },
    ["fail SVC-AUTH"],
  ],
  ["for which there is no token", { world: { env: { RELAYCTL_SERVER: SERVER } } }, ["fail SVC-AUTH"]],
  ["that is not ready", { alter: instead(/ready/, reply(503, notReady)) }, ["fail SVC-READY"]],
  ["that is degraded", { alter: instead(/ready/, reply(200, degraded)) }, ["fail SVC-READY"]],
  ["whose clock is fast", { alter: dated(5 * 60_000) }, ["warn SVC-CLOCK"]],
  ["whose clock is slow", { alter: dated(-5 * 60_000) }, ["warn SVC-CLOCK"]],
  [
    "and a chain that are earlier than the clock of this machine",
    {
      alter: both(
        dated(-5 * 60_000),
        altered(/\/rpc$/, /"timestamp":"0x[0-9a-f]+"/g, `"timestamp":"${hexSeconds(NOW - 5 * 60_000)}"`),
      ),
    },
    ["warn SVC-CLOCK"],
  ],
  ["whose certificate expires soon", { alter: certified(3 * DAY) }, ["warn SVC-TLS"]],
  ["whose certificate has expired", { alter: certified(-DAY) }, ["warn SVC-TLS"]],
  [
    "whose client certificate expires in a day",
    { world: showing({ ends: NOW + DAY, others: 0 }) },
    ["fail CERT-EXPIRES"],
  ],
  ["whose client certificate has expired", { world: showing({ ends: NOW - DAY, others: 0 }) }, ["fail CERT-EXPIRES"]],
  [
    "whose client certificate expires in 8 days",
    { world: showing({ ends: NOW + 8 * DAY, others: 0 }) },
    ["warn CERT-EXPIRING"],
  ],
  ["whose client certificate expires in 31 days", { world: showing({ ends: NOW + 31 * DAY, others: 0 }) }, []],
  [
    "whose client certificate lacks its issuer",
    { world: showing({ ends: NOW + 99 * DAY, missing: "CN=an authority", others: 1 }) },
    ["note CERT-CHAIN"],
  ],
  [
    "of an old version",
    {
      isReal: true,
      alter: altered(/relayers\?/, ',"include_revert_data":false', ""),
    },
    ["warn SVC-VERSION"],
  ],
  ["that limits the rate", { alter: limitedAtFirst(2) }, ["warn SVC-RATE"]],
  [
    "whose relayers share a host",
    {
      relayers: [
        well({ custom_rpc_urls: [{ url: "https://rpc.example.org/a" }] }),
        well({ id: "r2", custom_rpc_urls: [{ url: "https://rpc.example.org/b" }] }),
      ],
    },
    ["note RPC-SHARED"],
  ],
];
