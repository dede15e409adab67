import PouchDomain
import PouchEntities

/// The kinds of animals that one can ride on, the smallest first.
public enum Species: String, Sendable, Codable, CaseIterable {
    case wallaby
    case wallaroo
    case kangaroo

    /// How many ride at once.
    public var capacity: Int {
        switch self {
        case .wallaby: 1
        case .wallaroo: 2
        case .kangaroo: 4
        }
    }

    public var maxWeightGrams: Int {
        switch self {
        case .wallaby: 20_000
        case .wallaroo: 60_000
        case .kangaroo: 150_000
        }
    }

    /// Metres of street in a second, with all stops.
    public var pace: Double {
        switch self {
        case .wallaby: 8
        case .wallaroo: 9
        case .kangaroo: 10
        }
    }

    public var option: RideOption {
        RideOption(
            id: rawValue, name: rawValue.prefix(1).uppercased() + rawValue.dropFirst(), capacity: capacity,
            maxWeightGrams: maxWeightGrams,
            images: .init(normal: "/assets/\(imagePath())", selected: "/assets/\(imagePath(isSelected: true))"))
    }

    /// Where the drawing for a button is kept.
    func imagePath(isSelected: Bool = false) -> String {
        "ride/\(rawValue)\(isSelected ? "-selected" : "").svg"
    }
}
