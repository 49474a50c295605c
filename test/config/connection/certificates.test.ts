import { readCertificates } from "../../../src/config/connection/certificates.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

function filesWith(text: string) {
  return { read: async () => new TextEncoder().encode(text) };
}

test("reads every file", async () => {
  const caFiles = [
    { value: "own.pem", from: "--ca-file" },
    { value: "node.pem", from: "NODE_EXTRA_CA_CERTS" },
  ];
  expect(await readCertificates(caFiles, filesWith(PEM))).toEqual([PEM, PEM]);
});

test("shows the file without a certificate, and where the file was specified", () =>
  expect(readCertificates([{ value: "key.pem", from: "RELAYCTL_CA_FILE" }], filesWith("secret"))).rejects.toMatchObject(
    {
      failure: "usage",
      message: "RELAYCTL_CA_FILE key.pem: contains no PEM certificate",
    },
  ));
