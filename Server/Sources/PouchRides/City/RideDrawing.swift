import PouchDomain
import PouchEntities

extension Species {
    var option: RideOption {
        RideOption(
            id: rawValue, name: rawValue.prefix(1).uppercased() + rawValue.dropFirst(), capacity: capacity,
            maxWeightGrams: maxWeightGrams,
            images: .init(normal: "/assets/\(imagePath())", selected: "/assets/\(imagePath(isSelected: true))"))
    }

    /// The path of the drawing for a button.
    func imagePath(isSelected: Bool = false) -> String {
        "ride/\(rawValue)\(isSelected ? "-selected" : "").svg"
    }
}

/// The drawing of a ride option for a button: its animal from the side, on a round ground.
public enum RideDrawing {
    /// An SVG document of 96×96 units. If selected, the animal and its ground swap colours.
    public static func svg(_ species: Species, selected: Bool) -> String {
        let paper = "#fbf3e4"
        let (coat, scale) = look(of: species)
        let (animal, ground) = selected ? (paper, coat) : (coat, paper)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">
            <circle cx="48" cy="48" r="46" fill="\(ground)" stroke="\(coat)" stroke-width="2"/>
            <path d="M18 80H78" stroke="\(animal)" stroke-width="2" stroke-linecap="round" opacity=".4"/>
            <g transform="translate(48 79) scale(\(scale)) translate(-48 -79)" fill="\(animal)">
            <path d="M30 56C30 68 24 75 10 76C26 82 40 77 44 66Z"/>
            <path d="M28 62C26 46 40 40 50 34C54 31 55 27 56 23L65 28C67 38 65 46 60 54C58 66 50 74 40 74
            C32 74 28 69 28 62Z"/>
            <path d="M36 70L45 75H60Q65 79 60 79H38Q33 76 36 70Z"/>
            <path d="M60 43Q69 45 67 55" fill="none" stroke="\(animal)" stroke-width="4" stroke-linecap="round"/>
            <path d="M54 22C55 16 62 15 67 18L76 23Q79 26 75 28L64 31C57 31 53 28 54 22Z"/>
            <path d="M57 19C51 14 50 7 52 3C57 6 60 11 61 18Z"/>
            <path d="M62 18C60 11 62 6 65 3C68 8 68 13 66 19Z"/>
            <path d="M58 55Q51 60 47 54" fill="none" stroke="\(ground)" stroke-width="2" stroke-linecap="round"/>
            <circle cx="66" cy="22" r="1.5" fill="\(ground)"/>
            </g>
            </svg>
            """
    }

    /// The colour of the animal, and the scale that keeps it within the ground; at 1 it would overlap the edge.
    private static func look(of species: Species) -> (coat: String, scale: Double) {
        switch species {
        case .wallaby: ("#7d8a5c", 0.5)
        case .wallaroo: ("#5b6f86", 0.67)
        case .kangaroo: ("#b4602f", 0.84)
        }
    }
}
