#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient

    /// A place on earth as it is typed: latitude and longitude in degrees, as in `-33.87,151.21`, or the name of a place.
    enum Spot: ExpressibleByArgument {
        case point(GeoPoint)
        case name(String)

        init?(argument: String) {
            guard !argument.isEmpty else { return nil }
            let numbers = argument.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
            guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
                self = .name(argument)
                return
            }
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
            self = .point(GeoPoint(latitude: latitude, longitude: longitude))
        }

        /// - Throws: a `Refusal` for a name that no place has.
        func point(in shop: Shop) async throws -> GeoPoint {
            switch self {
            case .point(let point): return point
            case .name(let name):
                guard let place = try await shop.client.locations.places(matching: name, near: nil).first else {
                    throw Refusal(
                        "No place is known as \(name).", "`pouch ride places --search TEXT` looks for one.", .notFound)
                }
                return place.location
            }
        }
    }
#endif
