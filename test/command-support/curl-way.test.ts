// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are for a shell to expand
import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import https from "node:https";
import net from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { createAuthority } from "../faults/server/certificates.ts";
import { cli, TOKEN } from "../helpers/cli.ts";
import { listenInTest } from "../helpers/service/listen.ts";

const HOST = "relayer.example.org";
const authority = createAuthority("an authority");
const read = "relayers get r1 --curl";

/** Writes the files of a client certificate; a colon in a path separates the passphrase in curl's flag. */
function certificateFiles(passphrase = "") {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const { cert, key } = authority.issue();
  const files = { [at("ca.pem")]: authority.cert, [at("it's: a.pem")]: cert, [at("a key.pem")]: key };
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
  const from = ["-in", at("it's: a.pem"), "-inkey", at("a key.pem")];
  const to = ["-out", at("a.p12"), "-passout", `pass:${passphrase}`];
  execFileSync("openssl", ["pkcs12", "-export", ...from, ...to], { stdio: "ignore" });
  return {
    ca: at("ca.pem"),
    cert: at("it's: a.pem"),
    key: at("a key.pem"),
    pfx: at("a.p12"),
    words: at("words"),
    files,
  };
}

/** Serves with TLS, but only clients with a certificate of the authority. */
async function demanding(host: string) {
  const seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const options = { ...authority.issue({ host }), ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  const server = https.createServer(options, ({ url, headers }, response) => {
    seen.push({ url, headers });
    response.end("{}");
  });
  return { port: await listenInTest(server), seen };
}

/** A proxy that only opens tunnels, all of them to one port. */
async function tunnelTo(port: number) {
  const seen: { target: string | undefined; credentials: string | undefined }[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", ({ url, headers }, socket) => {
    seen.push({ target: url, credentials: headers["proxy-authorization"] });
    const way = net.connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      way.pipe(socket).pipe(way);
    });
    for (const each of [way, socket]) each.on("error", () => {});
  });
  return { url: `127.0.0.1:${await listenInTest(server)}`, seen };
}

async function pasted(command: string, env: Record<string, string> = {}): Promise<string> {
  const variables = { PATH: "/bin:/usr/bin", RELAYCTL_TOKEN: TOKEN, ...env };
  return (await promisify(execFile)("bash", ["-c", command.replace("curl ", "curl -sS ")], { env: variables })).stdout;
}

describe("the printed curl command reaches the service on the same way", () => {
  test.each(["flags", "variables", "context"])("with a certificate of %s", async (how) => {
    const { ca, cert, key } = certificateFiles();
    const { port, seen } = await demanding("127.0.0.1");
    const server = `https://127.0.0.1:${port}`;
    const ways = {
      flags: { env: { RELAYCTL_SERVER: server, RELAYCTL_TOKEN: TOKEN } },
      variables: {
        env: {
          RELAYCTL_SERVER: server,
          RELAYCTL_TOKEN: TOKEN,
          RELAYCTL_CA_FILE: ca,
          RELAYCTL_CERT: cert,
          RELAYCTL_KEY: key,
        },
      },
      context: {
        env: {},
        config: {
          version: 1 as const,
          current: "prod",
          contexts: { prod: { server, token: { value: TOKEN }, ca_file: ca, cert, key } },
        },
      },
    };
    const flags = how === "flags" ? ["--ca-file", ca, "--cert", cert, "--key", key] : [];
    const { stdout, exitCode } = await cli([...read.split(" "), ...flags], ways[how as "flags"]);
    expect(exitCode).toBe(0);
    expect(await pasted(stdout, { https_proxy: "" })).toBe("{}");
    expect(seen).toMatchObject([{ url: "/api/v1/relayers/r1", headers: { authorization: `Bearer ${TOKEN}` } }]);
  });

  test("with PKCS#12 and a passphrase, which stays a variable", async () => {
    const { ca, pfx, words, files } = certificateFiles("two words");
    const { port, seen } = await demanding("127.0.0.1");
    const flags = ["--ca-file", ca, "--cert", pfx, "--key-passphrase-file", words];
    const env = { RELAYCTL_SERVER: `https://127.0.0.1:${port}`, RELAYCTL_TOKEN: TOKEN };
    const { stdout } = await cli([...read.split(" "), ...flags], {
      env,
      files: { ...files, [pfx]: "0", [words]: "two words" },
    });
    expect(stdout).toContain('--pass "${KEY_PASSPHRASE:?}"');
    expect(stdout).not.toContain("two words");
    await pasted(stdout, { KEY_PASSPHRASE: "two words" });
    expect(seen).toHaveLength(1);
  });

  test.each(["", "me:secret%20word@"])("through a proxy, with no_proxy or without: %j", async (userInfo) => {
    const { ca, cert, key } = certificateFiles();
    const { port, seen } = await demanding(HOST);
    const proxy = await tunnelTo(port);
    const url = `http://${userInfo}${proxy.url}`;
    const env = { RELAYCTL_SERVER: `https://${HOST}`, RELAYCTL_TOKEN: TOKEN };
    const line = [...read.split(" "), "--ca-file", ca, "--cert", cert, "--key", key, "--proxy", url];
    const { stdout } = await cli(line, { env });
    expect(stdout.includes("secret")).toBe(false);
    await pasted(stdout, { RELAYCTL_PROXY: url, no_proxy: "*" });
    expect(seen).toHaveLength(1);
    const credentials = userInfo === "" ? undefined : `Basic ${btoa("me:secret word")}`;
    expect(proxy.seen).toEqual([{ target: `${HOST}:443`, credentials }]);
  });

  test("through the environment's proxy, and in a tunnel even for plain HTTP", async () => {
    const service = createServer((_, response) => response.end("{}"));
    const proxy = await tunnelTo(await listenInTest(service));
    const env = { RELAYCTL_SERVER: `http://${HOST}`, RELAYCTL_TOKEN: TOKEN, http_proxy: `http://${proxy.url}` };
    const { stdout } = await cli(`${read} --allow-http`, { env });
    expect(await pasted(stdout)).toBe("{}");
    expect(proxy.seen).toMatchObject([{ target: `${HOST}:80` }]);
  });

  test("without the environment's proxy to a server on this machine", async () => {
    const service = createServer((request, response) => response.end(request.url));
    const port = await listenInTest(service);
    const env = {
      RELAYCTL_SERVER: `http://127.0.0.1:${port}/gw`,
      RELAYCTL_TOKEN: TOKEN,
      http_proxy: "http://127.0.0.1:1",
    };
    const { stdout } = await cli("api GET '/relayers?page={1,2}&a[0-9]=b' --curl", { env });
    expect(await pasted(stdout, { http_proxy: "http://127.0.0.1:1" })).toBe(
      "/gw/api/v1/relayers?page=%7B1%2C2%7D&a%5B0-9%5D=b",
    );
  });

  test("over IPv6, with further headers, and within the typed time", async () => {
    const seen: unknown[] = [];
    const service = createServer(({ headers }, response) => {
      seen.push(headers["x-gateway"]);
      response.end("{}");
    });
    service.listen(0, "::1");
    onTestFinished(() => void service.close());
    await new Promise((resolve) => service.once("listening", resolve));
    const { port } = service.address() as net.AddressInfo;
    const env = { RELAYCTL_SERVER: `http://[::1]:${port}`, RELAYCTL_TOKEN: TOKEN };
    const { stdout } = await cli([...read.split(" "), "--header", "X-Gateway: a b", "--timeout", "1500ms"], { env });
    expect(stdout).toContain("--max-time 1.5 ");
    expect(await pasted(stdout, { HEADER_X_GATEWAY: "a b" })).toBe("{}");
    expect(seen).toEqual(["a b"]);
  });
});

test("a delivery's curl command takes the certificates and the proxy, too", async () => {
  const { ca } = certificateFiles();
  const { stdout } = await cli(
    ["webhooks", "test", "--to", `https://${HOST}/x`, "--ca-file", ca, "--proxy", "http://p.example:3128", "--curl"],
    { files: { [ca]: authority.cert } },
  );
  expect(stdout).toContain(`--proxytunnel --proxy 'http://p.example:3128/' \\\n  --noproxy '' \\\n  --cacert '${ca}'`);
});

test.each([
  ["more.pem", /^note: curl takes one CA file, so the command leaves out more\.pem \(NODE_EXTRA_CA_CERTS\)$/m],
  ["ca.pem", /^(?![\s\S]*one CA file)/],
])("a note shows a second file of certificates, %s, unless it is the first", async (nodes, says) => {
  const env = { RELAYCTL_SERVER: `https://${HOST}`, RELAYCTL_TOKEN: TOKEN, NODE_EXTRA_CA_CERTS: nodes };
  const { stdout, stderr } = await cli(`${read} --ca-file ca.pem`, { env });
  expect([stdout.match(/--cacert '.*'/g), stderr]).toEqual([["--cacert 'ca.pem'"], expect.stringMatching(says)]);
});

test("a note shows a second file of certificates for a proxy with TLS to a plain server, too", async () => {
  const env = { RELAYCTL_SERVER: `http://${HOST}`, RELAYCTL_TOKEN: TOKEN, NODE_EXTRA_CA_CERTS: "more.pem" };
  const { stdout, stderr } = await cli(`${read} --allow-http --proxy https://p.example --ca-file ca.pem`, { env });
  expect(stdout).toContain("--proxy-cacert 'ca.pem'");
  expect(stderr).toContain("note: curl takes one CA file, so the command leaves out more.pem (NODE_EXTRA_CA_CERTS)\n");
});

test("certificates for a proxy with TLS are the same file", async () => {
  const env = { RELAYCTL_SERVER: `https://${HOST}`, RELAYCTL_TOKEN: TOKEN };
  const { stdout } = await cli(`${read} --proxy https://p.example --ca-file ca.pem`, { env });
  const flags = [
    "--proxytunnel --proxy 'https://p.example/'",
    "--noproxy ''",
    "--proxy-cacert 'ca.pem'",
    "--cacert 'ca.pem'",
  ];
  expect(stdout).toContain(flags.join(" \\\n  "));
});
