public import JSONSchema
public import Layout

/// A language that kinds are written in.
public enum Language: String, CaseIterable, Sendable {
  /// Swift 6, for apps with `HearthClient`.
  case swift
  /// Kotlin 1.3 or later, for the JVM and Android, without any library.
  case kotlin
  /// TypeScript 4.5 or later, without any library.
  case typescript

  /// What the types stand in unless another name is given: an enum in Swift, a package in Kotlin; `nil` where the file
  /// itself is the namespace.
  public var defaultNamespace: String? {
    switch self {
    case .swift: "Kinds"
    case .kotlin: "hearth.kinds"
    case .typescript: nil
    }
  }

  /// Whether the types may stand in a namespace of a name: letters, digits and `_`, in a package with dots between.
  public func allows(namespace: String) -> Bool {
    let parts = namespace.split(separator: ".", omittingEmptySubsequences: false)
    let spelling = self == .kotlin ? KotlinWriter.spelling : SwiftWriter.spelling
    return defaultNamespace != nil && (self == .kotlin || parts.count == 1)
      && parts.allSatisfy { part in
        !spelling.keywords.contains(String(part)) && !spelling.takenTypes.contains(String(part))
          && part.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil
      }
  }
}

extension Kinds {
  /// The source of a file that gives these kinds types in a language: the same kinds give the same bytes.
  ///
  /// - Parameter namespace: What the types stand in, the language's own default without it.
  public func source(in language: Language, namespace: String? = nil) throws(InvalidSchema) -> String {
    let namespace = namespace ?? language.defaultNamespace ?? ""
    switch language {
    case .swift:
      var writer = try SwiftWriter(self, name: namespace)
      return writer.file()
    case .kotlin:
      var writer = try KotlinWriter(self, package: namespace)
      return writer.file()
    case .typescript:
      var writer = try TypeScriptWriter(self)
      return writer.file()
    }
  }
}
