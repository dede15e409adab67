/// A type, or an extension of one.
struct TypeDeclaration {
    enum Kind: String {
        case `class`, `struct`, `enum`, `actor`, `protocol`, `extension`
    }

    let kind: Kind
    /// Of an extension: what is extended, without its arguments.
    let name: String
    let modifiers: Set<String>
    /// The words of the inheritance clause.
    let inherited: [String]
    let lines: ClosedRange<Int>
    let members: [Member]
    let nested: [TypeDeclaration]

    var isReference: Bool { kind == .class || kind == .actor }
    var isPublic: Bool { modifiers.contains("public") || modifiers.contains("open") }

    /// What a user of the module sees of it.
    var publicMembers: Int {
        members.count { member in
            member.modifiers.contains("public")
                || (isPublic && (kind == .protocol || kind == .extension || member.keyword == "case"))
        }
    }
}

/// A property, a function, an initializer or a case; of a file, too.
struct Member {
    let keyword: String
    let name: String
    let modifiers: Set<String>
    /// A property that is no computation.
    let isStored: Bool
    let line: Int

    var isVariable: Bool { keyword == "var" && isStored }
    var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
    /// From no other file of the module.
    var isSetPrivately: Bool {
        !modifiers.isDisjoint(with: ["private", "fileprivate", "private(set)", "fileprivate(set)"])
    }
}
