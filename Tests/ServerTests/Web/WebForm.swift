import Foundation

/// A form of a page, with the fields that a browser would send.
struct WebForm: Sendable {
    /// An input, a list of choices, or a button.
    struct Control: Sendable {
        enum Kind: Sendable {
            case text
            /// A checkbox or a radio button, which is sent while it is on.
            case choice(isOn: Bool)
            /// The values of a `select`.
            case selection([String])
            /// Sent only if the form is sent by it.
            case button
            case file
        }

        let name: String
        var value: String
        var kind: Kind

        var isSent: Bool {
            switch kind {
            case .text, .selection: true
            case .choice(let isOn): isOn
            case .button, .file: false
            }
        }
    }

    let id: String?
    let action: String
    /// The method, in capitals.
    let method: String
    let isMultipart: Bool
    var controls: [Control] = []

    init(_ attributes: [String: String], page: String) {
        id = attributes["id"]
        let action = attributes["action"] ?? ""
        self.action = action.isEmpty ? page : action
        method = attributes["method"]?.uppercased() ?? "GET"
        isMultipart = attributes["enctype"]?.lowercased() == "multipart/form-data"
    }

    /// The fields that a browser sends if the visitor fills in nothing.
    var fields: [(name: String, value: String)] { controls.filter(\.isSent).map { ($0.name, $0.value) } }

    func has(_ name: String) -> Bool { controls.contains { $0.isNamed(name) } }

    /// The fields after a visitor has typed and chosen. A name may lack its type.
    ///
    /// - Parameter values: nil switches all choices of the name off.
    /// - Throws: `WebMistake` for a field or a choice that the form does not have.
    func filled(_ values: [String: String?]) throws -> [(name: String, value: String)] {
        var controls = controls
        for (name, value) in values {
            let places = controls.indices.filter { controls[$0].isNamed(name) }
            guard !places.isEmpty else {
                let names = Set(controls.map(\.name)).sorted().joined(separator: ", ")
                throw WebMistake("The form \(action) has no field \(name); it has \(names)")
            }
            try Self.fill(&controls, at: places, name, with: value)
        }
        return controls.filter(\.isSent).map { ($0.name, $0.value) }
    }

    private static func fill(
        _ controls: inout [Control], at places: [Int], _ name: String, with value: String?
    ) throws {
        var isFound = false
        for place in places {
            switch controls[place].kind {
            case .text:
                guard let value else { throw WebMistake("\(name) is no choice") }
                // The fields of a name are filled with the same text.
                controls[place].value = value
                isFound = true
            case .choice:
                let isOn = controls[place].value == value
                controls[place].kind = .choice(isOn: isOn)
                isFound = isFound || isOn || value == nil
            case .selection(let choices):
                guard let value, choices.contains(value) else { continue }
                controls[place].value = value
                isFound = true
            case .button:
                guard controls[place].value == value else { continue }
                controls[place].kind = .text
                isFound = true
            case .file: continue
            }
        }
        if !isFound {
            let choices = places.map { controls[$0].value }.joined(separator: ", ")
            throw WebMistake("\(name) cannot be \(value ?? "off"); it can be \(choices)")
        }
    }
}

extension WebForm.Control {
    /// Whether the name is this one, or this one without its type, such as `quantity` for `quantity:int`.
    fileprivate func isNamed(_ name: String) -> Bool {
        self.name == name || self.name.prefix { !":?!".contains($0) } == name
    }
}

/// A step that a visitor of the pages cannot take.
struct WebMistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension WebForm {
    /// The forms of a page with their controls, including those outside of a form that name it.
    static func all(in tokens: [HTMLToken], page: String) -> [WebForm] {
        var forms: [WebForm] = []
        var owned: [(form: String, control: Control)] = []
        var isOpen = false
        for (place, token) in tokens.enumerated() {
            switch token {
            case .opening(name: "form", let attributes):
                forms.append(WebForm(attributes, page: page))
                isOpen = true
            case .closing(name: "form"): isOpen = false
            case .opening(let tag, let attributes):
                guard let control = Control(tag, attributes, followedBy: tokens[(place + 1)...]) else { continue }
                if let form = attributes["form"] {
                    owned.append((form, control))
                } else if isOpen {
                    forms[forms.count - 1].controls.append(control)
                }
            default: continue
            }
        }
        for (id, control) in owned {
            if let index = forms.firstIndex(where: { $0.id == id }) { forms[index].controls.append(control) }
        }
        return forms
    }
}

extension WebForm.Control {
    /// - Parameter rest: the tokens after the tag.
    /// - Returns: nil for another element, and for a control that is never sent.
    fileprivate init?(_ tag: String, _ attributes: [String: String], followedBy rest: ArraySlice<HTMLToken>) {
        guard ["input", "button", "select", "textarea"].contains(tag), attributes["disabled"] == nil,
            let name = attributes["name"], !name.isEmpty
        else { return nil }
        self.name = name
        func content() -> ArraySlice<HTMLToken> {
            rest.prefix { if case .closing(name: tag) = $0 { false } else { true } }
        }
        let type = attributes["type"]?.lowercased() ?? (tag == "button" ? "submit" : "text")
        switch ["select", "textarea"].contains(tag) ? tag : type {
        case "select":
            let options = Self.options(in: content())
            guard let first = options.first else { return nil }
            value = (options.last(where: \.isChosen) ?? first).value
            kind = .selection(options.map(\.value))
        case "textarea":
            let text = content().map { if case .text(let part) = $0 { part } else { "" } }.joined()
            // A line break right after the tag does not count.
            value = text.hasPrefix("\n") ? String(text.dropFirst()) : text
            kind = .text
        case "checkbox", "radio":
            value = attributes["value"] ?? "on"
            kind = .choice(isOn: attributes["checked"] != nil)
        case "submit", "image": (value, kind) = (attributes["value"] ?? "", .button)
        case "file": (value, kind) = ("", .file)
        case "button", "reset": return nil
        default: (value, kind) = (attributes["value"] ?? "", .text)
        }
    }

    /// The options of a list, whose closing tags may be missing.
    private static func options(in content: ArraySlice<HTMLToken>) -> [(value: String, isChosen: Bool)] {
        var options: [(value: String?, text: String, isChosen: Bool)] = []
        for token in content {
            switch token {
            case .opening(name: "option", let attributes):
                options.append((attributes["value"], "", attributes["selected"] != nil))
            case .text(let text) where !options.isEmpty: options[options.count - 1].text += text
            default: continue
            }
        }
        return options.map { ($0.value ?? $0.text.trimmingCharacters(in: .whitespacesAndNewlines), $0.isChosen) }
    }
}
