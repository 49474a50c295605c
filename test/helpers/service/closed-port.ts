import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A port of loopback at which nobody listens until the test ends. It is the near end of a connection, so that no other
 * process is given it meanwhile, which may happen to a port that was closed.
 */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const near = connect(port, "127.0.0.1");
  await once(near, "connect");
  onTestFinished(() => {
    near.destroy();
    server.close();
  });
  if (near.localPort === undefined) throw new Error("a connection without a port");
  return near.localPort;
}
