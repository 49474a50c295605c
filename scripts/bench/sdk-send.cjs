const { readFileSync } = require("node:fs");
const { Configuration, RelayersApi } = require("@openzeppelin/relayer-sdk");

/**
 * `node sdk-send.cjs FILE`: what one would write on the service's SDK to send payments, one after the other. It records nothing, and what
 * becomes of a payment whose response is lost is left to its user.
 */
const { RELAYCTL_SERVER: basePath, RELAYCTL_TOKEN: accessToken } = process.env;
const [, ...rows] = readFileSync(process.argv[2], "utf8").trimEnd().split("\n");

async function send(api) {
  for (const row of rows) {
    const [to, value, limit] = row.split(",");
    const { data } = await api.sendTransaction("base-hot", {
      to,
      value,
      data: "0x",
      gas_limit: Number(limit),
      speed: "fast",
    });
    process.stdout.write(`${JSON.stringify(data.data)}\n`);
  }
}

send(new RelayersApi(new Configuration({ basePath, accessToken })));
