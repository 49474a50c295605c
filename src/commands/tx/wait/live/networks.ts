import type { Session } from "../../../../command-support/session/session.ts";
import type { Network } from "../../../../contract/resources/network.ts";
import { RelayctlError } from "../../../../errors.ts";
import { COIN_TIMEOUT } from "../../../../timing.ts";

/** The most relayers whose networks are read. */
const MOST_READ = 16;

/** Reads the networks of relayers, by the relayer's ID; those that cannot be read are missing. */
export async function networksOf(session: Session, relayerIds: Iterable<string>): Promise<Map<string, Network>> {
  const client = session.briefly(COIN_TIMEOUT);
  const ids = [...new Set(relayerIds)].slice(0, MOST_READ);
  const read = async (id: string) => {
    const { network, network_type: kind } = (await client.relayers.get(id)).data;
    return (await client.networks.get(`${kind}:${String(network).toLowerCase()}`, { byRoute: true })).data;
  };
  const found = await Promise.all(
    ids.map(async (id) => {
      try {
        return [[id, await read(id)] as const];
      } catch (error) {
        if (error instanceof RelayctlError) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}
