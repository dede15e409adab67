/// How distances are told.
enum DistanceText {
    /// As in `850 m`, `4.2 km`, `31 km`.
    static func text(_ metres: Double) -> String {
        guard metres.isFinite else { return "far" }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let kilometres = metres / 1_000
        return kilometres < 9.95 ? "\((kilometres * 10).rounded() / 10) km" : "\(Int(min(kilometres, 1e6).rounded())) km"
    }
}
