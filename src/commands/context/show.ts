import { LIMIT_FLAGS, REACH_FLAGS } from "../../command-support/common-flags.ts";
import type { Approvers, Limits } from "../../config/config.ts";
import type { ClientCertificateFiles } from "../../config/connection/client-certificate.ts";
import { shownProxy } from "../../config/connection/proxy.ts";
import { type ShownNode, shownNodes } from "../../config/nodes.ts";
import type { Project } from "../../config/project/project.ts";
import type { ServiceSettings } from "../../config/resolve-settings.ts";
import type { Sourced } from "../../config/sourced.ts";
import { pluralize } from "../../contract/decimal.ts";
import type { JsonObject } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import { limitAmounts, limitText } from "../../limits/limit-amounts.ts";
import { approverNames } from "../../proposals/approvers.ts";
import { DEFAULT_DEADLINE } from "../../timing.ts";
import type { CommandFile } from "../command.ts";
import { contextArgument } from "./argument.ts";
import { approverMembers } from "./list.ts";
import {
  keptSettingsPlace,
  readContextSettings,
  type SourcedRow,
  settingsLines,
  settingsObject,
  settingsRows,
} from "./settings-rows.ts";

export const contextShow: CommandFile = {
  summary: "Show the settings of a context, and where each comes from",
  sends: "nothing",
  takes: [...REACH_FLAGS, ...LIMIT_FLAGS],
  examples: ["relayctl context show", "relayctl context show prod", "relayctl context show prod -o json"],
  args: [{ ...contextArgument, name: "[name]", description: "Context name (default: the current context)" }],
  description:
    "Show the settings that a command would use now, or with the specified context, and where each setting comes from. No token is shown, and nothing is sent.",
  async run(call) {
    const [name] = call.args;
    const { context: typed } = call.common;
    if (name !== undefined && typed !== undefined && typed !== name) {
      throw usageError([{ where: "--context", given: typed, rule: `cannot be combined with ${name}` }]);
    }
    const settings = await readContextSettings(call, { ...call.common, ...(name !== undefined && { context: name }) });
    const proxy = settings.proxy && { ...settings.proxy, value: shownProxy(settings.proxy.value) };
    const nodes = shownNodes(call.app.env, settings.nodes);
    const kept = await keptSettingsPlace(call, settings);
    const project = await call.app.project?.();
    const lines = settingsLines([
      ...settingsRows(settings, kept?.place),
      ...wayRows(settings, proxy, nodes),
      ...boundRows(settings),
      ...(project ? projectRows(project) : []),
    ]);
    const value = {
      ...settingsObject(settings),
      ...wayValue(settings, proxy),
      ...(nodes.length > 0 && { nodes }),
      ...(Object.keys(settings.erc20).length > 0 && { erc20: settings.erc20 }),
      token_store: kept?.store ?? null,
      ...(project && { project: projectValue(project) }),
    };
    return { kind: "facts", lines, value };
  },
};

function wayRows(settings: ServiceSettings, proxy: Sourced<string> | undefined, nodes: readonly ShownNode[]) {
  const { allowHttp, caFiles, certificate } = settings;
  return [
    { label: "protected", text: settings.protected ? "yes" : "no", from: "" },
    ...(settings.readOnly ? [{ label: "read-only", text: "every write and signature is refused", from: "" }] : []),
    ...(settings.requiresReason ? [{ label: "reason", text: "required for each write", from: "" }] : []),
    ...(settings.journal ? [{ label: "journal", text: "required for each write", from: "" }] : []),
    ...approverRows(settings.approvers),
    ...limitRows(settings.limits),
    ...Object.entries(settings.erc20).flatMap(([name, { decimals, addresses }]) =>
      Object.entries(addresses).map(([network, address]) => {
        return {
          label: `erc20 ${name}`,
          text: `${address} on ${network}, ${pluralize(decimals, "decimal")}`,
          from: "",
        };
      }),
    ),
    { label: "plain http", text: allowHttp.value ? "allowed" : "to this machine only", from: `from ${allowHttp.from}` },
    ...caFiles.map(({ value, from }) => ({ label: "ca file", text: value, from: `from ${from}` })),
    ...(certificate ? certificateRows(certificate) : []),
    ...nodes.map(({ network, url, from }) => ({ label: `node of ${network}`, text: url, from: `from ${from}` })),
    { label: "proxy", text: proxy?.value ?? "none", from: proxy ? `from ${proxy.from}` : "" },
  ];
}

function projectRows({ path, files, labels }: Project): SourcedRow[] {
  const from = `from ${path}`;
  return [
    { label: "project file", text: path, from: "" },
    ...files.map((text) => ({ label: "fleet file", text, from })),
    ...labels.map(({ name, kind, address }) => ({ label: "label", text: `@${name} on ${kind}, ${address}`, from })),
  ];
}

function projectValue({ path, context, files, labels }: Project): JsonObject {
  return {
    path,
    context: context ?? null,
    files: [...files],
    labels: labels.map(({ name, kind, address }) => ({ name, kind, address })),
  };
}

function certificateRows({ value: { cert, key, passphraseFile }, from }: Sourced<ClientCertificateFiles>) {
  const rows = { certificate: cert, "key file": key, "passphrase file": passphraseFile };
  return Object.entries(rows).flatMap(([label, text]) => (text ? [{ label, text, from: `from ${from}` }] : []));
}

function approverRows(approvers: Approvers | undefined): SourcedRow[] {
  if (!approvers) return [];
  const text = `${pluralize(approvers.needed, "signature")} of ${approverNames(approvers).join(", ")}`;
  return [{ label: "approvers", text: `${text} for what moves money or loosens a limit`, from: "" }];
}

function limitRows({ max_value: value, max_per_day: perDay, allow_to: to = [] }: Limits): SourcedRow[] {
  const amounts = { "max value": value, "max per day": perDay };
  return [
    ...Object.entries(amounts).flatMap(([label, limits]) => {
      const text = limitAmounts(limits).map(limitText).join(", ");
      return text === "" ? [] : [{ label, text, from: "" }];
    }),
    ...to.map((address, index) => ({ label: index === 0 ? "receivers" : "", text: address, from: "" })),
  ];
}

function boundRows({ timeout, deadline, retries }: ServiceSettings): SourcedRow[] {
  return [
    { label: "timeout", text: `${timeout.value / 1000}s`, from: `from ${timeout.from}` },
    {
      label: "deadline",
      text: `${(deadline?.value ?? DEFAULT_DEADLINE) / 1000}s`,
      from: `from ${deadline?.from ?? "default"}`,
    },
    { label: "retries", text: String(retries.value), from: `from ${retries.from}` },
  ];
}

function wayValue(settings: ServiceSettings, proxy: Sourced<string> | undefined): JsonObject {
  const { allowHttp, caFiles, certificate, timeout, deadline, retries } = settings;
  return {
    protected: settings.protected,
    require_reason: settings.requiresReason,
    read_only: settings.readOnly ?? false,
    ...approverMembers(settings.approvers),
    journal: settings.journal ?? null,
    max_value: settings.limits.max_value ?? null,
    max_per_day: settings.limits.max_per_day ?? null,
    allow_to: settings.limits.allow_to ?? null,
    allow_http: allowHttp.value,
    allow_http_from: allowHttp.from,
    ca_files: caFiles.map(({ value }) => value),
    ca_files_from: caFiles.map(({ from }) => from),
    ...(certificate && {
      cert: certificate.value.cert,
      key: certificate.value.key ?? null,
      key_passphrase_file: certificate.value.passphraseFile ?? null,
      cert_from: certificate.from,
    }),
    proxy: proxy?.value ?? null,
    proxy_from: proxy?.from ?? null,
    timeout_ms: timeout.value,
    timeout_from: timeout.from,
    deadline_ms: deadline?.value ?? DEFAULT_DEADLINE,
    deadline_from: deadline?.from ?? "default",
    retries: retries.value,
    retries_from: retries.from,
  };
}
