import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/**
 * A port of loopback without a listener until the test ends. A connection holds it, so that no other process gets it.
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
