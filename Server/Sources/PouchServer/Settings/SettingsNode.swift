import Foundation
import PouchEntities
import Yams

/// A value in a settings file, with the path of its key. Whatever is read of it is checked.
struct SettingsNode {
    let path: String
    private let node: Node

    /// - Throws: `ShopSettingsError` when the text is no YAML.
    init(yaml: String) throws(ShopSettingsError) {
        path = ""
        do {
            node = try Yams.compose(yaml: yaml) ?? .mapping(.init([]))
        } catch let error as YamlError {
            throw ShopSettingsError(error)
        } catch {
            throw ShopSettingsError(line: nil, detail: "The file cannot be read as YAML.")
        }
    }

    private init(path: String, node: Node) {
        self.path = path
        self.node = node
    }

    /// The values by key. A key that is not in the list is refused.
    func fields(_ keys: String...) throws(ShopSettingsError) -> [String: SettingsNode] {
        guard case .mapping(let mapping) = node else { throw wrong("must have keys: \(keys.listed)") }
        var fields: [String: SettingsNode] = [:]
        for (key, value) in mapping {
            let name = key.string ?? "?"
            let field = SettingsNode(path: path.isEmpty ? name : "\(path).\(name)", node: value)
            guard keys.contains(name) else {
                throw ShopSettingsError(
                    line: key.mark?.line, detail: "There is no key \(field.path). Allowed here: \(keys.listed).")
            }
            fields[name] = field
        }
        return fields
    }

    /// The values by key, whatever the keys are.
    func entries() throws(ShopSettingsError) -> [(key: String, value: SettingsNode)] {
        guard case .mapping(let mapping) = node else { throw wrong("must have keys") }
        return mapping.map { key, value in
            let name = key.string ?? "?"
            return (name, SettingsNode(path: "\(path).\(name)", node: value))
        }
    }

    func list() throws(ShopSettingsError) -> [SettingsNode] {
        guard case .sequence(let sequence) = node else { throw wrong("must be a list") }
        return sequence.enumerated().map { SettingsNode(path: "\(path)[\($0)]", node: $1) }
    }

    /// A scalar as it is written, whatever YAML takes it for: `NO` is a country, and `01` a postal code.
    func text() throws(ShopSettingsError) -> String {
        guard case .scalar(let scalar) = node, ModelLimits.textLength.contains(scalar.string.unicodeScalars.count)
        else { throw wrong("must be a text of up to \(ModelLimits.textLength.upperBound) characters") }
        return scalar.string
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(ShopSettingsError) -> Choice {
        guard let choice = Choice(rawValue: try text()) else {
            throw wrong("must be \(Choice.allCases.map(\.rawValue).listed)")
        }
        return choice
    }

    func flag() throws(ShopSettingsError) -> Bool {
        switch try text() {
        case "true": true
        case "false": false
        default: throw wrong("must be true or false")
        }
    }

    func integer(in range: ClosedRange<Int>) throws(ShopSettingsError) -> Int {
        guard let integer = Int(try text()), range.contains(integer) else {
            throw wrong("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func degrees(in range: ClosedRange<Double>) throws(ShopSettingsError) -> Double {
        guard let degrees = Double(try text()), range.contains(degrees) else {
            throw wrong("must be a number of degrees from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return degrees
    }

    func money(_ currency: Currency) throws(ShopSettingsError) -> Money {
        guard let money = Money(decimal: try text(), currency: currency), ModelLimits.price.contains(money.amount)
        else {
            throw wrong(
                "must be an amount from 0 to \(Money(ModelLimits.price.upperBound, currency).decimal), as in "
                    + "\(Money(490, currency).decimal), with up to \(currency.exponent) decimal places for \(currency.code)"
            )
        }
        return money
    }

    /// Per cent in the file, basis points here.
    func rate() throws(ShopSettingsError) -> Int {
        guard let points = Int64(decimal: try text(), places: 2), (0...10_000).contains(points) else {
            throw wrong("must be a rate from 0 to 100 per cent, with up to 2 decimal places, as in 19 or 5.5")
        }
        return Int(points)
    }

    func country() throws(ShopSettingsError) -> String {
        let country = try text()
        guard country.utf8.count == 2, country.allSatisfy({ $0.isASCII && $0.isUppercase }) else {
            throw wrong("must be a country of two capital letters (ISO 3166-1), as in DE")
        }
        return country
    }

    /// - Parameter rule: what it must be, as the end of a sentence that begins with the key.
    func wrong(_ rule: String) -> ShopSettingsError {
        let found = node.scalar.map { ", and is “\($0.string.prefix(80))”" } ?? ""
        return ShopSettingsError(
            line: node.mark?.line, detail: "\(path.isEmpty ? "The file" : path) \(rule)\(found).")
    }

    /// A value that must be there.
    func required(_ key: String, of fields: [String: SettingsNode]) throws(ShopSettingsError) -> SettingsNode {
        guard let field = fields[key] else {
            throw ShopSettingsError(
                line: node.mark?.line, detail: "\(path.isEmpty ? "The file" : path) must have the key \(key).")
        }
        return field
    }
}

extension [String] {
    fileprivate var listed: String { formatted(.list(type: .or).locale(Locale(identifier: "en_GB"))) }
}

extension ShopSettingsError {
    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(line: mark.line, detail: "The file cannot be read as YAML: \(problem).")
        case .duplicatedKeysInMapping(let keys, let context):
            self.init(line: context.mark.line, detail: "The same key stands twice: \(keys.joined(separator: ", ")).")
        default: self.init(line: nil, detail: "The file cannot be read as YAML.")
        }
    }
}
