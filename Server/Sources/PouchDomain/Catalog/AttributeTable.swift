import PouchEntities

/// Numbers for everything that products and variants can be filtered by: each pair of a dimension, as in category or
/// the option Size, and one of its values is an attribute.
struct AttributeTable: Sendable {
    struct Attribute: Sendable {
        let dimension: Int
        /// As spelled by the first product that has it.
        let value: String
    }

    private struct Key: Hashable {
        let dimension: Int
        let value: String
    }

    private struct OptionChoice: Hashable {
        let name: String
        let value: String
    }

    static let category = 0
    static let season = 1
    static let theme = 2
    static let tag = 3
    static let firstOption = 4

    /// Each is named like the query parameter that filters by it. The first four tell products apart, the others,
    /// the options, single variants.
    private(set) var dimensions = ["category", "season", "theme", "tag"]
    private(set) var attributes: [Attribute] = []
    private var numbers: [Key: Int] = [:]
    private var optionDimensions: [String: Int] = [:]
    /// Spares the folding of spellings that were seen before.
    private var choices: [OptionChoice: Int] = [:]

    /// The dimension of an option, whose name is given in lower case; nil when no variant has that option.
    func dimension(foldedOption name: String) -> Int? { optionDimensions[name] }

    /// - Parameter value: in lower case for an option.
    /// - Returns: nil when nothing in the catalogue has that value.
    func attribute(_ dimension: Int, _ value: String) -> Int? { numbers[Key(dimension: dimension, value: value)] }

    mutating func insert(_ dimension: Int, _ value: String) -> Int {
        number(dimension, value, spelling: value)
    }

    mutating func insert(option name: String, value: String) -> Int {
        let choice = OptionChoice(name: name, value: value)
        if let known = choices[choice] { return known }
        let attribute = number(optionDimension(name), value.lowercased(), spelling: value)
        choices[choice] = attribute
        return attribute
    }

    private mutating func optionDimension(_ name: String) -> Int {
        let folded = name.lowercased()
        if let known = optionDimensions[folded] { return known }
        dimensions.append("option." + name)
        optionDimensions[folded] = dimensions.count - 1
        return dimensions.count - 1
    }

    private mutating func number(_ dimension: Int, _ value: String, spelling: String) -> Int {
        let key = Key(dimension: dimension, value: value)
        if let known = numbers[key] { return known }
        attributes.append(Attribute(dimension: dimension, value: spelling))
        numbers[key] = attributes.count - 1
        return attributes.count - 1
    }
}
