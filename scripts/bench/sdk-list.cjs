const { Configuration, RelayersApi } = require("@openzeppelin/relayer-sdk");

/** `node sdk-list.cjs PER_PAGE LIMIT`: what one would write on the service's SDK to list relayers as JSON lines. */
const { RELAYCTL_SERVER: basePath, RELAYCTL_TOKEN: accessToken } = process.env;
const [perPage, limit] = process.argv.slice(2).map(Number);

async function list(api) {
  for (let page = 1, seen = 0; seen < limit; page++) {
    const { data } = await api.listRelayers(page, perPage);
    for (const relayer of data.data) process.stdout.write(`${JSON.stringify(relayer)}\n`);
    seen += data.data.length;
  }
}

list(new RelayersApi(new Configuration({ basePath, accessToken })));
