import { createPrivateKey } from "node:crypto";
import { createAuthority } from "../../faults/server/certificates.ts";

/** Tokens of hostile spellings, in visible ASCII. Characters that encoders escape stand between each one's letters. */
export const TOKENS: Readonly<Record<string, string>> = {
  quotes: `qz7"Kx'w&L<9>v|T_r.\`m\${Jb}h`,
  "a JWT": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ6cXg3diJ9.Zk3_qW-8vRx2Tn",
  "the start of another": "Wq3-plain-Vb8xK",
  "what begins with another": "Wq3-plain-Vb8xK.and.Tz5uN",
  escapes: String.raw`--Gx4\n%41%2Fr\\u0041&#46;&amp;Yk~*[p](s)=+@Uz`,
  "eight characters": "B&v'9.xQ",
};

/** A token and what else a run could know, none of which may leave. */
export interface Planted {
  token: string;
  /** A signing key; it may have spaces and other letters. */
  key: string;
  /** The path of an RPC URL, of eight characters. */
  path: string;
  user: string;
  password: string;
  /** The same of the URL of a node. */
  nodePath: string;
  nodePassword: string;
  proxyPassword: string;
  /** The same of the RPC URL of a relayer and a network of the service. */
  servicePath: string;
  servicePassword: string;
  /** Headers of a context, of a file, of a command, and of a line, and a password in one of them. */
  header: string;
  headerOfFile: string;
  headerOfCommand: string;
  headerOfLine: string;
  headerPassword: string;
  /** The passphrase of the key of a client certificate, and a line of that key. */
  passphrase: string;
  keyLine: string;
  /** What a fleet reads from a variable and from a file. */
  variable: string;
  file: string;
}

const PASSPHRASE = `Ph4"k'&<Wd. 7|z`;

const { cert, key } = createAuthority().issue();
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const encrypted = { ...pkcs8, cipher: "aes-256-cbc", passphrase: PASSPHRASE };

/** A client certificate with an encrypted key, the key without its passphrase, and another one. */
export const CLIENT_FILES = {
  "client.pem": cert,
  "client.key": createPrivateKey(key).export(encrypted).toString(),
  "other.pem": createAuthority().issue().cert,
  passphrase: `${PASSPHRASE}\n`,
};

export function plantedWith(token: string): Planted {
  return {
    token,
    key: `Ms2"é <b>&'漢|_.\\ Fj6-${"w5R.".repeat(8)}`,
    path: "Hd7_kP.2",
    user: "Lc9us-Er",
    password: `Pw'4&x"Dq*8`,
    nodePath: "Nn1~oD.e5",
    nodePassword: `Qa_&'7"zSb`,
    proxyPassword: `Rx'"5&gWv`,
    servicePath: "Te9_sU.4",
    servicePassword: `Jk"8&'oBz`,
    header: `Zr7&'x"<Kp. 4|v`,
    headerOfFile: `Hf2.qW&'v"<Tm|9`,
    headerOfCommand: `Cm5~"x'&<Ld|Yb`,
    headerOfLine: `Ln8_"w'&<Gh|Sj$`,
    headerPassword: `Bp6"k'&<Vx.Nd`,
    passphrase: PASSPHRASE,
    keyLine: CLIENT_FILES["client.key"].split("\n")[1] ?? "",
    variable: `Fv"3&'ar<Lt. 8|_q`,
    file: `Gf'i&1"e<Xo. 6|_k`,
  };
}

export function urlWith(host: string, path: string, user: string, password: string): string {
  const name = user === "" ? "" : encodeURIComponent(user);
  return `https://${name}:${encodeURIComponent(password)}@${host}/${encodeURIComponent(path)}`;
}
