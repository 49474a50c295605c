/** The parts of a library that program and library of this package share, as one file in `dist`. */
export {
  Composer,
  CST,
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  parseDocument,
  Scalar,
} from "yaml";
