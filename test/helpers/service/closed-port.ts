import { once } from "node:events";
import { connect, createServer } from "node:net";
import { listenInTest } from "./listen.ts";

/**
 * A port of loopback without a listener until the test ends. A connection holds it, so that no other process gets it.
 */
export async function closedPort(): Promise<number> {
  const near = connect(await listenInTest(createServer()), "127.0.0.1");
  await once(near, "connect");
  onTestFinished(() => void near.destroy());
  if (near.localPort === undefined) throw new Error("a connection without a port");
  return near.localPort;
}
