/// The differences between two public APIs, and the kind of version that they need.
struct APIChanges {
    /// One declaration that was added, removed or changed.
    struct Change: Equatable {
        enum Kind: String, CaseIterable {
            case added = "Added"
            case removed = "Removed"
            case changed = "Changed"
        }

        /// The module, and the type.
        let place: String
        let before: String?
        let after: String?
        /// The reason why a program may no longer compile; nil for a change that every program survives.
        let breakage: String?

        var kind: Kind { before == nil ? .added : after == nil ? .removed : .changed }
    }

    private(set) var changes: [Change] = []

    var isEmpty: Bool { changes.isEmpty }
    var isBreaking: Bool { changes.contains { $0.breakage != nil } }

    init(from old: [APIDigest], to new: [APIDigest]) {
        let (before, after) = (old.firsts(by: \.module), new.firsts(by: \.module))
        for module in Set(before.keys).union(after.keys).sorted() {
            switch (before[module], after[module]) {
            case (let old?, let new?): compare(old, new)
            case (_?, nil): add(module, before: "the module \(module)", breakage: "The module is missing.")
            case (nil, _): add(module, after: "the module \(module)")
            }
        }
    }

    private mutating func compare(_ old: APIDigest, _ new: APIDigest) {
        let (before, after) = (old.members.keys.firsts(by: \.name), new.members.keys.firsts(by: \.name))
        for name in Set(before.keys).union(after.keys).sorted() {
            let place = name.isEmpty ? old.module : "\(old.module).\(name)"
            // The members of a whole type say nothing more.
            guard let one = before[name], let other = after[name] else {
                let breakage = after[name] == nil ? "The type is missing." : nil
                add(place, before: before[name]?.header, after: after[name]?.header, breakage: breakage)
                continue
            }
            if one.header != other.header {
                let isCompatible = Declaration.onlyGainsConformances(one.header, other.header)
                let breakage = isCompatible ? nil : "The type is declared differently."
                add(place, before: one.header, after: other.header, breakage: breakage)
            }
            compareMembers(
                old.members[one] ?? [], new.members[other] ?? [], place, isOpen: other.header.hasPrefix("open "))
        }
    }

    private mutating func compareMembers(_ old: [String], _ new: [String], _ place: String, isOpen: Bool) {
        var added = new.filter { !old.contains($0) }
        var removed: [String] = []
        for line in old where !new.contains(line) {
            let name = DeclarationName(line).name
            guard let index = added.firstIndex(where: { DeclarationName($0).name == name }) else {
                removed.append(line)
                continue
            }
            let other = added.remove(at: index)
            let isCompatible =
                !line.hasPrefix("requires ") && !(isOpen && line.contains("open "))
                && Declaration.acceptsOldCalls(line, other)
            let breakage = isCompatible ? nil : "Programs that use it may not compile."
            add(place, before: line, after: other, breakage: breakage)
        }
        for line in removed { add(place, before: line, breakage: "Programs that use it do not compile.") }
        for line in added {
            let declaration = line.split(separator: " ").dropFirst().joined(separator: " ")
            var breakage: String?
            // An extension of the protocol that declares the same is its default.
            if line.hasPrefix("requires "), !new.contains(declaration) {
                breakage = "Types that conform to the protocol need it."
            } else if line.hasPrefix("case ") || line.hasPrefix("indirect case ") {
                breakage = "A switch over all cases needs it."
            }
            add(place, after: line, breakage: breakage)
        }
    }

    private mutating func add(_ place: String, before: String? = nil, after: String? = nil, breakage: String? = nil) {
        changes.append(Change(place: place, before: before, after: after, breakage: breakage))
    }

    // MARK: Text

    var text: String {
        guard !isEmpty else { return "The public API has not changed." }
        var lines: [String] = []
        for kind in Change.Kind.allCases {
            let changes = changes.filter { $0.kind == kind }
            if !changes.isEmpty { lines.append("\(kind.rawValue):") }
            for change in changes {
                lines.append("  in \(change.place)")
                if let before = change.before { lines.append("    - \(before)") }
                if let after = change.after { lines.append("    + \(after)") }
                if let breakage = change.breakage { lines.append("    breaks: \(breakage)") }
            }
        }
        let breaking = changes.count { $0.breakage != nil }
        lines.append(
            isBreaking
                ? "\(breaking) of \(changes.count) changes can break programs: "
                    + "the next version must be major (minor before 1.0)."
                : "No change breaks programs: the next version must be minor.")
        return lines.joined(separator: "\n")
    }
}

extension Sequence {
    /// By each key, the first element with it.
    func firsts<Key>(by key: (Element) -> Key) -> [Key: Element] {
        Dictionary(map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Rules for when a program that compiles with one declaration compiles with another.
enum Declaration {
    /// Whether a type has only become able to do more. A protocol that inherits from more asks more of its conformers.
    static func onlyGainsConformances(_ old: String, _ new: String) -> Bool {
        let ((before, few), (after, many)) = (old.split(at: " : "), new.split(at: " : "))
        func names(_ list: String?) -> Set<Substring> { Set((list ?? "").split(separator: ", ")) }
        return before == after && !old.contains("protocol ") && names(few).isSubset(of: names(many))
    }

    /// Whether every call of the old declaration is one of the new: it has only gained parameters with default values,
    /// default values, or `@discardableResult`.
    static func acceptsOldCalls(_ old: String, _ new: String) -> Bool {
        guard let before = Signature(withoutNotes(old)), let after = Signature(withoutNotes(new)) else {
            return withoutNotes(old) == withoutNotes(new)
        }
        guard before.start == after.start, before.end == after.end else { return false }
        var open = before.parameters[...]
        for parameter in after.parameters {
            // The same, with a new default value, or with another one.
            if let next = open.first,
                parameter == next || parameter.hasPrefix(next + " = ")
                    || (next.contains(" = ") && parameter.hasPrefix(next.split(at: " = ").0 + " = "))
            {
                open.removeFirst()
            } else if !parameter.contains(" = ") {
                return false
            }
        }
        return open.isEmpty
    }

    /// Callers compile with and without these.
    private static func withoutNotes(_ declaration: String) -> String {
        declaration.split(separator: " ").filter { $0 != "@discardableResult" }.joined(separator: " ")
            .replacing("@available(*, deprecated) ", with: "")
    }

    /// A function in three parts.
    private struct Signature {
        let start: String
        let parameters: [String]
        let end: String

        /// nil for a declaration without parameters, such as that of a property.
        init?(_ text: String) {
            guard let open = text.firstIndex(of: "("), text.contains("func ") || text.contains("init") else {
                return nil
            }
            var (depth, parameters, index) = (0, [""], open)
            while index < text.endIndex {
                let character = text[index]
                if "([{<".contains(character) { depth += 1 }
                // The arrow of a function's type closes nothing.
                let isArrow = character == ">" && text[..<index].hasSuffix("-")
                if ")]}>".contains(character), !isArrow { depth -= 1 }
                if depth == 0 { break }
                if character == ",", depth == 1 {
                    parameters.append("")
                } else if index != open {
                    parameters[parameters.count - 1].append(character)
                }
                index = text.index(after: index)
            }
            guard index < text.endIndex else { return nil }
            start = String(text[..<open])
            self.parameters = parameters.map { $0.trimmingPrefix(" ") }.map(String.init).filter { !$0.isEmpty }
            end = String(text[text.index(after: index)...])
        }
    }
}

extension String {
    /// The text before the first separator, and the text after it, if there is one.
    func split(at separator: String) -> (String, String?) {
        guard let range = firstRange(of: separator) else { return (self, nil) }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}
