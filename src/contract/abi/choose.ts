import { choiceOf } from "../../nearest.ts";
import { type Abi, type AbiItem, signatureItem } from "./item.ts";
import { AbiError } from "./parse-type.ts";
import { standardAbi } from "./standards.ts";

/** Returns the function that a user means, by signature or known name. @throws AbiError if none or several */
export function chooseFunction(typed: string, abi: Abi | undefined): AbiItem {
  const isName = /^[A-Za-z_$][\w$]*$/.test(typed);
  if (!abi) return isName ? refuseBareName(typed) : signatureItem(typed);
  const same = isName ? undefined : signatureItem(typed).signature;
  const found = abi.functions.filter(({ name, signature }) => (isName ? name === typed : signature === same));
  const [one, ...others] = found;
  if (!one) {
    const known = abi.functions.map(({ name, signature }) => (isName ? name : signature));
    throw new AbiError(`is not a function of the ABI${choiceOf([typed], [...new Set(known)])}`);
  }
  if (others.length > 0)
    throw new AbiError(`has several signatures; specify one of ${found.map(({ signature }) => signature).join(", ")}`);
  return one;
}

/** A name alone could be anything; a well-known one may be meant. */
function refuseBareName(name: string): never {
  const known = standardAbi().functions.filter((item) => item.name === name);
  const meant = known.map(({ signature }) => signature).join(", ") || "transfer(address,uint256)";
  throw new AbiError(`needs the types of its parameters, e.g. ${meant}, or --abi`);
}
