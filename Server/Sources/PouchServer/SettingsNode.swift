import Foundation
import PouchDomain
import PouchEntities
import Yams

/// An error in a settings file, for its author.
public struct ShopSettingsError: Error, Equatable, CustomStringConvertible {
    /// The first line is 1; nil if the parser reports none.
    public let line: Int?
    /// One sentence that names the key and the allowed values.
    public let detail: String

    public var description: String { line.map { "line \($0): \(detail)" } ?? detail }
}

/// A value in a settings file, with the path of its key. Every accessor checks the value.
struct SettingsNode {
    let path: String
    private let node: Node

    /// - Throws: `ShopSettingsError` if the text is not valid YAML.
    init(yaml: String) throws(ShopSettingsError) {
        path = ""
        do {
            node = try Yams.compose(yaml: yaml) ?? .mapping(.init([]))
        } catch let error as YamlError {
            throw ShopSettingsError(error)
        } catch {
            throw ShopSettingsError(line: nil, detail: "The file is not valid YAML.")
        }
    }

    private init(path: String, node: Node) {
        self.path = path
        self.node = node
    }

    /// The values by key.
    ///
    /// - Throws: `ShopSettingsError` for a key that is not in the list.
    func fields(_ keys: String...) throws(ShopSettingsError) -> [String: SettingsNode] {
        guard case .mapping(let mapping) = node else { throw expected("keys: \(keys.listed)") }
        var fields: [String: SettingsNode] = [:]
        for (key, value) in mapping {
            let name = key.string ?? "?"
            let field = SettingsNode(path: path.isEmpty ? name : "\(path).\(name)", node: value)
            guard keys.contains(name) else {
                throw ShopSettingsError(
                    line: key.mark?.line, detail: "Unknown key \(field.path). Use \(keys.listed).")
            }
            fields[name] = field
        }
        return fields
    }

    /// The values by key, for any keys.
    func entries() throws(ShopSettingsError) -> [(key: String, value: SettingsNode)] {
        guard case .mapping(let mapping) = node else { throw expected("keys") }
        return mapping.map { key, value in
            let name = key.string ?? "?"
            return (name, SettingsNode(path: "\(path).\(name)", node: value))
        }
    }

    func nodes() throws(ShopSettingsError) -> [SettingsNode] {
        guard case .sequence(let sequence) = node else { throw expected("a list") }
        return sequence.enumerated().map { SettingsNode(path: "\(path)[\($0)]", node: $1) }
    }

    func list<Item>(_ item: (SettingsNode) throws(ShopSettingsError) -> Item) throws(ShopSettingsError) -> [Item] {
        try nodes().map(item)
    }

    /// A scalar as written, without YAML's types: `NO` is a country, and `01` a postal code.
    func text() throws(ShopSettingsError) -> String {
        guard case .scalar(let scalar) = node, ModelLimits.textLength.contains(scalar.string.unicodeScalars.count)
        else { throw expected("at most \(ModelLimits.textLength.upperBound) characters") }
        return scalar.string
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(ShopSettingsError) -> Choice {
        guard let choice = Choice(rawValue: try text()) else {
            throw expected(Choice.allCases.map(\.rawValue).listed)
        }
        return choice
    }

    func flag() throws(ShopSettingsError) -> Bool {
        switch try text() {
        case "true": true
        case "false": false
        default: throw expected("true or false")
        }
    }

    func integer(in range: ClosedRange<Int>) throws(ShopSettingsError) -> Int {
        guard let integer = Int(try text()), range.contains(integer) else {
            throw expected("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func degrees(in range: ClosedRange<Double>) throws(ShopSettingsError) -> Double {
        guard let degrees = Double(try text()), range.contains(degrees) else {
            throw expected("degrees from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return degrees
    }

    func money(_ currency: Currency) throws(ShopSettingsError) -> Money {
        guard let money = Money(decimal: try text(), currency: currency), ModelLimits.price.contains(money.amount)
        else {
            throw expected(
                "an amount from 0 to \(Money(ModelLimits.price.upperBound, currency).decimal) with up to "
                    + "\(currency.exponent) decimal places, such as \(Money(490, currency).decimal)")
        }
        return money
    }

    func rate() throws(ShopSettingsError) -> TaxRate {
        guard let rate = TaxRate(percent: try text()) else {
            throw expected("a percentage from 0 to 100 with up to 4 decimal places, such as 19 or 8.875")
        }
        return rate
    }

    func country() throws(ShopSettingsError) -> String {
        let country = try text()
        guard country.utf8.count == 2, country.allSatisfy({ $0.isASCII && $0.isUppercase }) else {
            throw expected("a two-letter code such as DE")
        }
        return country
    }

    func required(_ key: String, of fields: [String: SettingsNode]) throws(ShopSettingsError) -> SettingsNode {
        guard let field = fields[key] else { throw wrong("the key \(key) is missing") }
        return field
    }

    /// - Parameter allowed: the allowed values, as the object of “expected”.
    func expected(_ allowed: String) -> ShopSettingsError {
        wrong("expected \(allowed)" + (node.scalar.map { ", got “\($0.string.prefix(80))”" } ?? ""))
    }

    func wrong(_ text: String) -> ShopSettingsError {
        ShopSettingsError(line: node.mark?.line, detail: "\(path.isEmpty ? "The file" : path): \(text).")
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
            self.init(line: mark.line, detail: "The file is not valid YAML: \(problem).")
        case .duplicatedKeysInMapping(let keys, let context):
            self.init(line: context.mark.line, detail: "Duplicate keys: \(keys.joined(separator: ", ")).")
        default: self.init(line: nil, detail: "The file is not valid YAML.")
        }
    }
}
