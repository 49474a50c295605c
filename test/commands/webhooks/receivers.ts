import { TransportFailure } from "../../../src/client/transport/transport.ts";
import { verifyWebhook } from "../../../src/contract/webhook/signature.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import type { World } from "../../helpers/test-app.ts";

export const KEY = "k".repeat(32);
export const ORIGIN = "http://10.0.0.7:9000";
export const HOOK = `${ORIGIN}/hook?tenant=1`;

export const files = { "signing.key": `${KEY}\n`, "short.key": "short", "other.key": "o".repeat(40) };

/** What a receiver got, and its world. */
export function receiving(respond: (request: WireRequest, index: number) => number | Partial<WireReply> | Error) {
  const got: WireRequest[] = [];
  const world: World = {
    env: {},
    files,
    nodes: {
      [ORIGIN]: async (request) => {
        const response = respond(request, got.length);
        if (response instanceof Error) throw response;
        got.push(request);
        const reply = typeof response === "number" ? { status: response } : response;
        return { status: 200, headers: {}, body: new Uint8Array(), ...reply };
      },
    },
  };
  return { got, world };
}

/** Responds as a receiver that verifies signatures. */
export function verifying({ headers, body, bytes }: WireRequest): number {
  return verifyWebhook(bytes ?? body ?? "", headers["x-signature"], KEY).verified ? 204 : 401;
}

export const unreachable = () => new TransportFailure("connect", "10.0.0.7:9000: connection refused", { sent: false });
export const hanging = () =>
  new TransportFailure("timeout", "10.0.0.7:9000: no complete response in time (--timeout, --deadline)", {
    sent: true,
  });
