import ArgumentParser
import PouchServer

#if Rides
    import PouchRides
#endif

/// The options of rides. A server that is built without the trait Rides has none.
struct RideOptions: ParsableArguments {
    #if Rides
        @Option(
            help: ArgumentHelp(
                "The speed of the kangaroos, 1 to 100000 times real time. Default: 1.",
                discussion: "All servers on one database must use the same speed.", valueName: "n"))
        var citySpeed: Double?

        @Option(
            help: ArgumentHelp(
                "The minimum number of kangaroos of each kind, 0 to 10000. Default: 30.", valueName: "n"))
        var kangaroos: Int?

        @Flag(help: "Serve the shop without rides and without delivery by kangaroo.")
        var noRides = false

        func apply(_ settings: Settings, to configuration: inout ServerConfiguration) throws {
            var city = CitySettings()
            city.speed = try settings.number("citySpeed") ?? city.speed
            guard CitySettings.speeds.contains(city.speed) else {
                throw ValidationError("--city-speed must be from 1 to 100000.")
            }
            city.kangaroosOfEachSpecies =
                try settings.integer("kangaroos", in: CitySettings.fleets) ?? city.kangaroosOfEachSpecies
            if try settings.flag("noRides") != true { configuration.parts.append(Rides(city: city)) }
        }
    #else
        func apply(_ settings: Settings, to configuration: inout ServerConfiguration) throws {}
    #endif
}
