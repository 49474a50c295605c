import type { NetworkOptions } from "../../src/client/transport/transport.ts";
import { runHere, TOKEN, testApp } from "../helpers/cli.ts";
import { reply } from "../helpers/service/reply.ts";

const PEM = "-----BEGIN CERTIFICATE-----";
const SENT = "http://relayer.example.org";

test.each([
  ["the service", "relayers list", SENT],
  ["a node", "audit eth-main-1 --node http://rpc.example.org", "http://rpc.example.org"],
  ["a receiver", "webhooks test --to http://hooks.example.org/x", "http://hooks.example.org"],
])(
  "additional certificates are trusted on the way to %s over plain HTTP if the proxy uses TLS",
  async (_, line, to) => {
    const origins = async (proxy: string) => {
      const made = testApp({
        env: {
          ...{ RELAYCTL_SERVER: SENT, RELAYCTL_TOKEN: TOKEN, RELAYCTL_ALLOW_HTTP: "1" },
          ...{ RELAYCTL_PROXY: proxy, RELAYCTL_CA_FILE: "ca" },
        },
        files: { ca: PEM },
      });
      const seen: NetworkOptions[] = [];
      const { network } = made.app;
      made.app.network = async (options) => {
        seen.push(options);
        return options.origin === SENT ? await network(options) : async () => reply(200, "{}");
      };
      await runHere(made, line.split(" "));
      return seen.filter(({ origin }) => origin === to).map(({ caCertificates }) => caCertificates);
    };
    expect((await origins("https://proxy.example.org:3128"))[0]).toEqual([PEM]);
    expect((await origins("http://proxy.example.org:3128"))[0]).toEqual([]);
  },
);
