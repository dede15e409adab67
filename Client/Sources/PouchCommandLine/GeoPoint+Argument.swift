#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchEntities

    extension GeoPoint {
        /// Latitude and longitude in degrees, as in `-33.8688,151.2093`.
        ///
        /// - Throws: a `ValidationError` for what is no place on earth.
        public init(argument: String) throws {
            let degrees = argument.split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0.trimmingCharacters(in: .whitespaces))
            }
            guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
                (-90...90).contains(latitude), (-180...180).contains(longitude)
            else { throw ValidationError("A place on earth must be like -33.8688,151.2093, not \(argument).") }
            self.init(latitude: latitude, longitude: longitude)
        }
    }
#endif
