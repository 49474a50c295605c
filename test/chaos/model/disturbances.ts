import type { Chance } from "../../safety/fuzz/chance.ts";
import type { Network } from "./network.ts";
import { GWEI, type ModelWorld } from "./world.ts";

/** Schedules what happens to the service and the chain. */
export function disturb(world: ModelWorld, network: Network, { chance, active }: { chance: Chance; active: number }) {
  const { timeline, chain, relayer, fleet } = world;
  const sometime = (act: () => void) => timeline.after(chance.below(chance.pick([20_000, active / 3])), act);
  const { baseFee } = chain;
  for (let spikes = chance.below(3); spikes > 0; spikes--) {
    const times = chance.pick([8n, 11n, 13n, 20n, 50n]);
    sometime(() => Object.assign(chain, { baseFee: (baseFee * times) / 10n, tip: (GWEI * times) / 10n }));
  }
  const stall = chance.below(4);
  if (stall < 2) jam(world, chance);
  if (stall === 2) hold(world, chance);
  for (let times = chance.pick([0, 0, 2, 6]); times > 0; times--) {
    timeline.after(chance.below(chance.pick([30_000, 300_000])), () => chain.reorganize(1 + chance.below(2)));
  }
  if (chance.once(6)) pauseFor(world, sometime, chance.below(60_000));
  if (chance.once(8)) restart({ world, network, chance }, sometime);
  if (chance.once(4)) breakNode(world, sometime, chance.pick([20_000, 60_000, 120_000]));
  if (chance.once(12)) giveUp(world, chance);
  if (chance.once(8)) sometime(() => disable(world, chance));
  if (chance.once(8)) sometime(() => drain(world, chance));
  if (chance.once(12)) sometime(() => world.useElsewhere());
  if (chance.once(10)) sometime(() => fill(world, chance));
  if (chance.once(12)) sometime(() => void fleet.change(relayer.id, { policies: { gas_price_cap: null } }));
}

/** Nothing is mined for a while, since the base fee is too high. */
function jam({ timeline, chain }: ModelWorld, chance: Chance): void {
  const { baseFee } = chain;
  timeline.after(chance.below(8_000), () => {
    chain.baseFee = 1_000n * GWEI;
    timeline.after(10_000 + chance.below(400_000), () => Object.assign(chain, { baseFee }));
  });
}

/** Miners take nothing below a tip for a while, which raises no price. */
export function hold({ timeline, chain }: ModelWorld, chance: Chance, latest = 4_000): void {
  const times = chance.pick([12n, 15n, 20n, 40n]);
  timeline.after(chance.below(latest), () => {
    chain.leastTip = (chain.tip * times) / 10n;
    timeline.after(20_000 + chance.below(600_000), () => Object.assign(chain, { leastTip: undefined }));
  });
}

/** The service gives up records while what it sent waits (facts 5.1): its node fails while nothing is mined. */
function giveUp(world: ModelWorld, chance: Chance): void {
  const { timeline, chain } = world;
  const { baseFee } = chain;
  timeline.after(5_000 + chance.below(25_000), () => {
    chain.baseFee = 1_000n * GWEI;
    world.isNodeReached = false;
    timeline.after(70_000 + chance.below(30_000), () => {
      world.isNodeReached = true;
    });
    timeline.after(300_000 + chance.below(400_000), () => Object.assign(chain, { baseFee }));
  });
}

type Sometime = (act: () => void) => void;

function pauseFor({ timeline, fleet, relayer }: ModelWorld, sometime: Sometime, time: number) {
  sometime(() => {
    fleet.change(relayer.id, { paused: true });
    timeline.after(time, () => void fleet.change(relayer.id, { paused: false }));
  });
}

/** The service does not listen for some seconds; without a database it also loses its records. */
function restart(
  { world, network, chance }: { world: ModelWorld; network: Network; chance: Chance },
  sometime: Sometime,
): void {
  const isInMemory = chance.once(4);
  sometime(() => {
    network.isDown = true;
    if (isInMemory) world.worker.forgetAll();
    world.timeline.after(1_000 + chance.below(9_000), () => {
      network.isDown = false;
    });
  });
}

function breakNode(world: ModelWorld, sometime: Sometime, time: number): void {
  sometime(() => {
    world.isNodeReached = false;
    world.timeline.after(time, () => {
      world.isNodeReached = true;
    });
  });
}

/** The service disables the relayer, and brings it back (facts 16.6). */
function disable({ timeline, relayer }: ModelWorld, chance: Chance): void {
  relayer.disabled = "RpcValidationFailed";
  timeline.after(13_000 + chance.below(60_000), () => {
    relayer.disabled = undefined;
  });
}

/** The disk with the journal is full for a while. */
function fill({ timeline, disk }: ModelWorld, chance: Chance): void {
  disk.isFull = true;
  timeline.after(chance.pick([5_000, 60_000, 300_000]), () => {
    disk.isFull = false;
  });
}

/** The relayers cannot pay for a while, which their node notices before the service does (facts 16.4, 16.5). */
function drain(world: ModelWorld, chance: Chance): void {
  const { timeline, relayer } = world;
  world.canPay = false;
  timeline.after(chance.below(40_000), () => {
    if (!world.canPay) relayer.disabled = "BalanceCheckFailed";
  });
  timeline.after(chance.pick([5_000, 60_000, 200_000]), () => {
    world.canPay = true;
    timeline.after(10_000 + chance.below(20_000), () => {
      relayer.disabled = undefined;
    });
  });
}

export function becomeCalm(world: ModelWorld, network: Network): void {
  network.faults = 0;
  network.late = 0;
  network.isDown = false;
  network.isMixedUp = false;
  world.isNodeReached = true;
  world.fleet.change(world.relayer.id, { paused: false });
  world.relayer.disabled = undefined;
  world.canPay = true;
  world.disk.isFull = false;
  world.disk.mend();
}
