import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openGateway } from "../helpers/service/gateway.ts";
import { realService } from "../helpers/service/real-service.ts";
import { reply } from "../helpers/service/reply.ts";
import { TOKEN } from "../helpers/test-app.ts";
import { newFolder, relayctl } from "./relayctl.ts";

const SECRET = "gateway-secret-7f3a91";
const PAGE = "<!doctype html><title>Sign in</title><form></form>";

test("the program passes a gateway with the header of a file, and says what the gateway said without it", async () => {
  const location = "https://accounts.google.com/o/oauth2/v2/auth?client_id=1";
  const gateway = await openGateway(
    ({ headers }) =>
      headers["proxy-authorization"] === `Bearer ${SECRET}` ? undefined : reply(302, PAGE, { location }),
    realService(),
  );
  onTestFinished(() => gateway.close());
  const folder = newFolder();
  writeFileSync(join(folder, "headers"), `Proxy-Authorization: Bearer ${SECRET}\n`);
  const env = { RELAYCTL_SERVER: gateway.origin, RELAYCTL_TOKEN: TOKEN };
  const file = ["--header", `@${join(folder, "headers")}`];
  for (const args of [
    ["relayers", "list"],
    ["relayers", "pause", "base-hot"],
  ]) {
    const refused = await relayctl(args, { folder, env });
    expect([args, refused.exitCode, refused.stdout]).toEqual([args, 4, ""]);
    expect(refused.stderr).toContain(
      "from a gateway, not from the service: it redirects to https://accounts.google.com/***",
    );
    const { exitCode, stderr, stdout } = await relayctl([...args, ...file, "-vv"], { folder, env });
    expect([args, exitCode]).toEqual([args, 0]);
    expect(stderr + stdout).not.toContain(SECRET);
  }
});
