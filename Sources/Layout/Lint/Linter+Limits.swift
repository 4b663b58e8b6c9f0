import JSON

extension Linter {
  /// What is larger than definitions may be.
  mutating func checkLimits() {
    for problem in page.problems(within: limits, passing: { findings[$0].isWithinLimits }) {
      let sentence = problem.sentence.saying("\(problem.detail); remove some, or raise the limit")
      problems.append(
        LintProblem(.overLimit, at: problem.pointer, section: section(at: problem.pointer), sentence))
    }
  }

  /// The id of the section that a place is in.
  private func section(at pointer: JSONPointer) -> String? {
    guard pointer.tokens.count > 1, pointer.tokens[0] == "sections", let position = Int(pointer.tokens[1]) else {
      return nil
    }
    return page.sections.indices.contains(position) ? page.sections[position].id : nil
  }
}
